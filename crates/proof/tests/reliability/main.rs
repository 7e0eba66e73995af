//! Tests the promises of docs/promises.md with real processes: kills, errors, full disks, races,
//! hostile names and links, and changes by people and git in between.
//!
//! The quick forms always run; `SPRAG_LONG=1` makes them long. A test that cannot run here (no
//! strace, no right to mount) is a counted skip. Every violation is printed with a command that
//! reproduces it.
#![expect(clippy::disallowed_methods, reason = "tests reach around the store on purpose")]
#![expect(clippy::print_stdout, reason = "how much was tried is part of the result")]
#![expect(clippy::unwrap_used, reason = "a test that cannot prepare its case must fail")]

mod broken;
mod inbox;
mod inbox_kill;
mod inbox_soak;
mod journal;
mod machine;
mod named;
mod order;
mod project;
mod readers;
mod redo;
mod scenario;
mod strangers;
mod t14_names;
mod t15_links;
mod t1_copy;
mod t1_deed;
mod t1_doctor;
mod t1_doubt;
mod t1_kill;
mod t1_plan;
mod t1_review;
mod t1_stop;
mod t1_yard;
mod t2_errors;
mod t6_full_disk;
mod t7_race;
mod torn;
mod verify;
