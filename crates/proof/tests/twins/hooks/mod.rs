//! Sessions of all six hosts, as their hooks and bridges report them.

mod assigned;
mod denied;
mod guarded;
mod loops;
mod persons;
mod phases;
