//~ the pattern `layers[*.w` cannot be read from `[*.w` on
//~ the pattern `**.bias*` cannot be read from `.bias*` on
//~# 2
use treedef::path::{PathPattern, path_pattern};

pub const WEIGHTS: PathPattern<'static> = path_pattern!("layers[*.w");
pub const BIAS: PathPattern<'static> = path_pattern!("**.bias*");
