//! pi calls no commands, so there is nothing to decode; its bridge uses `sprag rpc`.

use crate::NotUnderstood;
use crate::encode::ReplyFormat;
use crate::row::Hooks;

pub(super) const HOOKS: Hooks =
    Hooks { decode: |_, _, _| Err(NotUnderstood::NoCommands), room: |_| ReplyFormat::Nothing };
