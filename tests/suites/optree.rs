//! optree.
