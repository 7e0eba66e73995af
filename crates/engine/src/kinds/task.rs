//! A task for agents until a command passes.

use super::guard::BASE;
use crate::kind::Info;

pub const INFO: Info = Info { word: "task", label: "until", is_guarded: true, ..BASE };
