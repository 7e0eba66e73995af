//! Loads, steps, commits and performs.
