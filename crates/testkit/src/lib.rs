//! What the tests of sprag stand on.

pub mod folder;
pub mod inject;
pub mod linear;
pub mod race;
pub mod seed;
pub mod skip;
pub mod strace;
