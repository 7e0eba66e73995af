//! A unit of work assigned to an agent; both are in the inbox.

use super::guard::BASE;
use crate::kind::Info;

pub const INFO: Info = Info { word: "assignment", is_assigned: true, is_guarded: true, ..BASE };
