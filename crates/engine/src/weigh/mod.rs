//! Weighs the work of a session or a unit: takes its baseline, opens and closes its turns, and takes
//! a person's agreement to what is in doubt.

mod agreeing;
pub(crate) mod of_session;
pub(crate) mod of_unit;
pub(crate) mod session_edits;

pub use agreeing::ShownDoubt;
pub(crate) use agreeing::{agree_to, person_writes};
