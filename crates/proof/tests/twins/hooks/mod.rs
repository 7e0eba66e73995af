//! Sessions of all six hosts: what their hooks and bridges are told.

mod assigned;
mod denied;
mod guarded;
mod loops;
mod persons;
mod phases;
