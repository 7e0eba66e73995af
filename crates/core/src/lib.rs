//! The pure half of sprag: defines runs, decides which work comes next and when a session may stop.
//!
//! Nothing here reads a clock, a disk, an environment or a process. Every outside fact arrives as a
//! value, so the same functions serve the host hook, the runner and every test.
//!
//! How to read it: a [`Signal`] goes through [`step`] and makes a new [`Run`]; [`next`] returns the
//! available work; [`vote`] is the view of one session on its stop, and [`merge`] combines all
//! votes into one answer. A [`Machine`] adds the differences between systems; [`guard`] is the
//! smallest.

mod added_lines;
mod attempt;
pub mod basis;
mod bound;
mod call;
mod changes;
mod code_fence;
pub mod definition;
mod doc_path;
pub mod event;
mod facts;
mod field_kind;
mod fingerprint;
mod gate;
mod glob;
pub mod gsd;
pub mod guard;
mod hash;
mod hold;
mod id;
pub mod inbox;
mod judge;
mod machine;
mod merge;
mod missing;
mod name;
mod next;
mod outcome;
pub mod output;
mod plain;
pub mod plain_json;
pub mod plan;
pub mod pr;
pub mod prompt;
mod receipt;
pub mod report;
pub mod reporting;
pub mod review;
pub mod review_loop;
pub mod rules;
mod run;
mod run_status;
pub mod runners;
mod seq;
mod signal;
mod splice;
mod step;
mod stop_counter;
mod stored;
pub mod systems;
mod time;
mod time_limit;
mod unit;
mod unit_states;
mod vote;
pub mod workflow;

pub use added_lines::{AddedLines, LineSet};
pub use attempt::{Attempt, LastFailure, LossCount};
pub use basis::is_test;
pub use bound::Bound;
pub use call::Call;
pub use changes::Changes;
pub use code_fence::CodeFence;
pub use doc_path::{BadPath, DocPath};
pub use event::{Event, Kind, Unknown};
pub use facts::{Ask, Facts};
pub use field_kind::FieldKind;
pub use fingerprint::{Fingerprint, normal};
pub use gate::{Check, CheckKind, Gate, GateSpec, Limits, quoted, scripts, typed};
pub use glob::{BadGlob, Glob};
pub use hash::{Hash, Hashing};
pub use hold::{Commands, Doubt, Driven, Hold, Need, Overspent, Stuck, Unstarted, Way, Ways};
pub use id::{BadId, Id};
pub use judge::Proof;
pub use machine::{Counts, Denied, KernelDecision, Machine, Move, Next, Rank};
pub use merge::{Reply, StopFacts, merge};
pub use missing::{Missing, MissingText, OtherLocation};
pub use name::{
    Agent, BadName, EffectId, Fence, HostSession, Name, ReceiptId, RequestKey, Role, RunId,
    SessionId, UnitId, WorktreeName,
};
pub use next::{begun, next};
pub use outcome::Outcome;
pub use plain::{Fields, Plain, Stored, Unreadable};
pub use prompt::{Prompt, prompt};
pub use receipt::{Receipt, Verdict};
pub use run::Run;
pub use run_status::{RunStatus, Waiting, life, waiting};
pub use seq::Seq;
pub use signal::{Effect, Ran, Signal, Word};
pub use splice::{BadSplice, Splice, apply, between};
pub use step::{Stepped, step};
pub use stop_counter::StopCounter;
pub use time::Time;
pub use time_limit::{Deadline, Wall};
pub use unit::{Closes, Retry, Unit};
pub use vote::{Vote, vote};
