//! A command that a person holds a session to; the command is the run's task.

use super::guard::BASE;
use crate::kind::Info;

pub const INFO: Info = Info { word: "until", label: "until", ..BASE };
