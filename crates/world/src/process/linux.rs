//! The processes of a Linux machine: `/proc` lists them, orphans become our children, and a handle
//! names one process beyond its id.

pub(super) mod look;
pub(super) mod orphans;
pub(super) mod parents;
pub(super) mod table;
