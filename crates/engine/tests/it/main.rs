//! The engine with real files, real git and real commands.

mod guard;
mod workflow;
mod world;
