//! The command line as a person or an agent meets it: whole processes, exact texts.

mod doctor;
mod hook;
mod log;
mod manual;
mod output;
mod readme;
mod status;
mod support;
mod usage;
