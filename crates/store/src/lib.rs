//! The only door to the disk: documents, the journal behind them, and the commit that changes both.
