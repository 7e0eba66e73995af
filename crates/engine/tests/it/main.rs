//! The engine with real files, real git and real commands.

mod guard;
mod world;
