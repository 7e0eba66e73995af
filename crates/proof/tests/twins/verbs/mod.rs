//! What agents and persons type: assignments, mail, pull requests, set-up, looks.

mod assignments;
mod looks;
mod pull_request;
mod set_up;
