//! A target for each subject.

mod imports;
mod keys;
mod migration;
mod operations;
mod paths;
mod reading;
mod typed;
mod verdicts;

pub use imports::imports;
pub use keys::keys;
pub use migration::migration;
pub use operations::operations;
pub use paths::paths;
pub use reading::reading;
pub use typed::typed;
pub use verdicts::verdicts;
