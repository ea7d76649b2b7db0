//! Indices of leaves that are constants: a path is looked up by the compiler.

use crate::base::error::Error;
use crate::base::message::Message;
use crate::treedef::treedef::TreeDef;

/// The index of the leaf at a path, found by the compiler: a `usize` constant.
///
/// The treedef and the path are constants. The path has the form that [`TreeDef::find_str`] reads. A path that leads
/// nowhere, or to a node that is no leaf, does not compile; the message names the part of the path that is wrong. So a
/// parameter is set by its index, without a look-up at run time.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::{Tree, TreeDef, leaf_index, leaves_into, treedef_of, unflatten};
///
/// #[derive(Tree)]
/// struct Pid {
///     kp: f32,
///     ki: f32,
/// }
///
/// #[derive(Tree)]
/// struct Robot {
///     axis: [Pid; 2],
///     limit: f32,
/// }
///
/// const DEF: TreeDef<'static> = treedef_of::<Robot>();
/// const KI: usize = leaf_index!(DEF, "axis[1].ki");
///
/// let pid = || Pid { kp: 1.0, ki: 0.0 };
/// let robot = Robot { axis: [pid(), pid()], limit: 9.0 };
/// let mut leaves = [0.0f32; DEF.num_leaves()];
/// leaves_into(&robot, &mut leaves).unwrap();
/// leaves[KI] = 0.5;
/// leaves[leaf_index!(DEF, "limit")] = 8.0;
/// let robot: Robot = unflatten(DEF, &leaves).unwrap();
/// assert_eq!((robot.axis[1].ki, robot.limit), (0.5, 8.0));
/// # }
/// ```
///
/// ```compile_fail
/// # use treedef::{leaf_index, treedef};
/// let index = leaf_index!(treedef!({"kp": *}), "kd"); // the path `kd` leads nowhere from `kd` on
/// ```
#[macro_export]
macro_rules! leaf_index {
    ($def:expr, $path:expr $(,)?) => {
        const {
            match $crate::__private::leaf_index($def, $path) {
                ::core::result::Result::Ok(index) => index,
                ::core::result::Result::Err(message) => ::core::panic!("{}", message.as_str()),
            }
        }
    };
}

/// What [`leaf_index!`](crate::leaf_index!) evaluates.
///
/// # Errors
///
/// A text that says which part of the path leads nowhere, or that there is no leaf.
#[expect(clippy::result_large_err, reason = "only the compiler evaluates it")]
pub const fn leaf_index(def: TreeDef<'_>, path: &str) -> Result<usize, Message> {
    let at = match def.find_str(path) {
        Ok(found) => match found.as_leaf() {
            Some(index) => return Ok(index),
            None => return Err(Message::new(&["the path `", path, "` leads to no leaf"])),
        },
        Err(Error::UnknownPath { at }) => at as usize,
        Err(_) => 0,
    };
    let rest = match path.split_at_checked(at) {
        Some((_, rest)) => rest,
        None => path,
    };
    Err(Message::new(&["the path `", path, "` leads nowhere from `", rest, "` on"]))
}
