//! Plans, driven through the engine's public interface by a scripted agent.

mod driver;
mod scenes;
mod session;
mod side_by_side;
mod view;
