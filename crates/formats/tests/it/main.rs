//! One binary for all tests of the codecs.
//!
//! `SPRAG_LONG=1` runs the random tests ten to fifty times longer.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]
#![expect(clippy::format_push_string, reason = "generated texts read better so")]
#![expect(clippy::wildcard_enum_match_arm, reason = "tests look at single kinds of values")]

mod chipset;
mod dispatch;
mod generate;
mod gsd;
mod javascript;
mod json_edit;
mod json_read;
mod laws;
mod limits;
mod mutate;
mod neighbours;
mod plan;
mod plan_run;
mod random;
mod samples;
mod schema;
mod support;
mod typed;
mod validator;
mod yaml_edit;
mod yaml_layout;
mod yaml_read;
mod yaml_strings;
