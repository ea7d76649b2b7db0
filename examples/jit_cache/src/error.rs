//! Why a call has no compiled code.

use std::fmt;

use treedef::TreeDef;

/// Why code was not compiled, not found or not run.
#[derive(Debug)]
pub enum CallError {
    /// The arguments cannot be flattened, or their key does not fit.
    Tree(treedef::Error),
    /// There is no code for arguments of this structure.
    Unsupported {
        /// The structure, in short.
        structure: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The code generator gave up.
    Backend(Box<cranelift_module::ModuleError>),
    /// A kernel was called with other arrays than it was compiled for: the key does not say all that it has to.
    WrongArray {
        /// The position of the array among the leaves.
        leaf: usize,
        /// The elements it was compiled for; `None` behind the last leaf.
        expected: Option<usize>,
        /// The elements it has; `None` if there is no such leaf, or if it does not hold floats.
        found: Option<usize>,
    },
}

impl CallError {
    /// What is wrong with a structure.
    pub fn unsupported(def: TreeDef<'_>, reason: impl fmt::Display) -> Self {
        Self::Unsupported { structure: shortened(def), reason: reason.to_string() }
    }
}

/// The beginning of a structure's text, and how much of it there is.
pub fn shortened(def: TreeDef<'_>) -> String {
    const SHOWN: usize = 60;
    let text = def.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} leaves)", &text[..end], def.num_leaves()),
        None => text,
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tree(error) => write!(f, "{error}"),
            Self::Unsupported { structure, reason } => {
                write!(f, "cannot compile for {structure}: {reason}")
            }
            Self::Backend(error) => write!(f, "the code generator failed: {error}"),
            Self::WrongArray { leaf, expected, found } => {
                write!(f, "leaf {leaf}: compiled for {expected:?} floats, called with {found:?}")
            }
        }
    }
}

impl std::error::Error for CallError {}

impl From<treedef::Error> for CallError {
    fn from(error: treedef::Error) -> Self {
        Self::Tree(error)
    }
}

impl From<cranelift_module::ModuleError> for CallError {
    fn from(error: cranelift_module::ModuleError) -> Self {
        Self::Backend(Box::new(error))
    }
}
