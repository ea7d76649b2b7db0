//! `jax.tree.reduce`: which leaf meets which, in which order.

use serde_json::Value as Json;
use treedef::{View, leaf, over};

use super::support::corpus::{Raised, Read, member, read_answer, string};

use super::{same, stated};

/// An expression over leaves: `(0 1)` is what a function makes of the leaves 0 and 1.
#[derive(Clone, Debug, PartialEq)]
struct Term(String);

leaf!(Term);

fn join(left: &Term, right: &Term) -> Term {
    Term(format!("({} {})", left.0, right.0))
}

/// The recorded term; `None` for the error of an empty tree.
fn recorded(json: &Json, refusal: &str) -> Read<Option<Term>> {
    match read_answer(json)? {
        Ok(text) => Ok(Some(Term(string(text)?))),
        Err(Raised { class, message, .. }) if class == "TypeError" && message == refusal => {
            Ok(None)
        }
        Err(raised) => Err(format!("raised {raised:?}")),
    }
}

/// Checks a line of `structure_ops` with the operation `reduce`.
pub(super) fn check_op(line: &Json) -> Read<()> {
    let stated = stated(member(line, "tree")?)?;
    let terms: Vec<_> = stated.leaves.iter().flatten().map(|id| Term(id.to_string())).collect();
    let view = View::new(stated.treedef(), &terms).map_err(|error| error.to_string())?;
    let leaves = view.leaves();
    let expect = member(line, "expect")?;

    let fold =
        recorded(member(expect, "fold")?, "reduce() of empty iterable with no initial value")?;
    let first = |all: Option<Term>, x: &Term| Some(all.map_or(x.clone(), |all| join(&all, x)));
    same("fold", over(leaves).fold(None, first), Ok(fold))?;

    let from = recorded(member(expect, "fold_from")?, "")?.ok_or("no initial value")?;
    let ours = over(leaves).fold(Term("i".into()), |all, x: &Term| join(&all, x));
    same("fold_from", ours, Ok(from))
}
