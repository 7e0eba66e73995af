//! The binary `sprag`: it decides "host hook or not" before it builds anything.

fn main() {}
