//! What the tests of sprag stand on.
