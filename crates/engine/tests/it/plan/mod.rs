//! Plans, driven over the engine's public calls by a scripted agent.

mod driver;
mod scenes;
mod session;
mod side_by_side;
mod view;
