//! The tests that kill, starve and race sprag, and the rules of this workspace as tests.
