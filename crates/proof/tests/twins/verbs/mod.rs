//! Commands of agents and persons: assignments, mail, pull requests, set-up, displays.

mod assignments;
mod looks;
mod pull_request;
mod set_up;
