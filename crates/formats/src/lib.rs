//! Lossless codecs for the files sprag reads and edits.
