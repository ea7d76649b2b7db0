//! From a key to what is to be compiled.

use treedef::cache::{Dtype, Part};
use treedef::format::FromValue;
use treedef::{CallKey, Kind, TreeDef};

use crate::error::CallError;
use crate::kernels::{Program, Role};
use crate::optimizer::Optimizer;

/// What is compiled: a program, and the arrays it runs over.
///
/// It is made from a key and nothing else. So what the code depends on is in the key, and two calls of one key cannot
/// need other code.
#[derive(Debug)]
pub struct Plan {
    /// What is done to an element.
    pub program: Program,
    /// The elements of each array of parameters.
    pub arrays: Vec<usize>,
    /// The elements of each leaf of the arguments.
    pub leaves: Vec<usize>,
    gradients: usize,
}

impl Plan {
    /// Reads a key of `(state, gradients)`, an array for each leaf, and an [`Optimizer`].
    ///
    /// The state of plain descent is the parameters themselves; that of momentum is a tuple or struct of parameters and
    /// velocity; that of Adam one of parameters, two running means and the number of steps.
    pub fn of(key: CallKey<'_>) -> Result<Self, CallError> {
        let mut parts = key.parts();
        let Some(Part::TreeDef(def)) = parts.next() else {
            return Err(CallError::unsupported(TreeDef::NONE, "a key without a structure"));
        };
        let unsupported = |reason: &str| CallError::unsupported(def, reason);
        let arrays: Vec<_> = (&mut parts).take(def.num_leaves()).collect();
        let leaves = lengths(def, &arrays)?;
        let optimizer = match parts.next() {
            Some(Part::Value(value)) => Optimizer::from_value(value),
            _ => None,
        };
        let optimizer = optimizer.ok_or_else(|| unsupported("a key without an optimiser"))?;
        let (Some(state), Some(gradients), 2) = (def.child(0), def.child(1), def.num_children())
        else {
            return Err(unsupported("the arguments are not a pair of state and gradients"));
        };
        let program = Program::of(&optimizer);
        check_structures(def, &program, state, gradients)?;
        let arrays = leaves[..gradients.num_leaves()].to_vec();
        let plan = Self { program, arrays, gradients: state.num_leaves(), leaves };
        plan.check_lengths(def)?;
        Ok(plan)
    }

    /// The leaf that plays a role for an array of parameters.
    pub fn leaf(&self, role: Role, array: usize) -> usize {
        let count = self.arrays.len();
        array
            + match role {
                Role::Parameter => 0,
                Role::First => count,
                Role::Second => 2 * count,
                Role::Gradient => self.gradients,
            }
    }

    /// The leaf with the number of steps, the last one of the state, if the program counts them.
    pub fn step(&self) -> Option<usize> {
        self.program.steps().then(|| self.gradients - 1)
    }

    /// Every array has as many elements as the parameters it belongs to.
    fn check_lengths(&self, def: TreeDef<'_>) -> Result<(), CallError> {
        let check = |leaf: usize, expected: usize| match self.leaves[leaf] {
            found if found == expected => Ok(()),
            found => {
                let reason = format!("{} has {found} elements, not {expected}", path(def, leaf));
                Err(CallError::unsupported(def, reason))
            }
        };
        for role in Role::ALL.into_iter().filter(|role| self.program.loads(*role)) {
            for (array, expected) in self.arrays.iter().enumerate() {
                check(self.leaf(role, array), *expected)?;
            }
        }
        self.step().map_or(Ok(()), |step| check(step, 1))
    }
}

/// The number of elements of each leaf.
fn lengths(def: TreeDef<'_>, parts: &[Part<'_>]) -> Result<Vec<usize>, CallError> {
    let lengths = (0..def.num_leaves()).map(|leaf| match parts.get(leaf) {
        Some(Part::Array(array)) if array.dtype() == Dtype::Float32 => {
            let elements = array.num_elements().and_then(|elements| elements.try_into().ok());
            elements.ok_or_else(|| {
                let reason = format!("{} is {array}, of no fixed size", path(def, leaf));
                CallError::unsupported(def, reason)
            })
        }
        Some(Part::Array(array)) => {
            let reason = format!("{} is {array}, and kernels are of float32", path(def, leaf));
            Err(CallError::unsupported(def, reason))
        }
        _ => Err(CallError::unsupported(def, "a key without an array for each leaf")),
    });
    lengths.collect()
}

/// All that the optimiser remembers has the structure of the parameters, and so have the gradients.
fn check_structures(
    def: TreeDef<'_>,
    program: &Program,
    state: TreeDef<'_>,
    gradients: TreeDef<'_>,
) -> Result<(), CallError> {
    let moments = [Role::First, Role::Second].iter().filter(|role| program.loads(**role)).count();
    let mut parts = vec![state];
    if moments > 0 {
        parts = state.children().collect();
        // The children of a dictionary stand in the order of its keys, which is no order of roles.
        let ordered = matches!(state.kind(), Kind::Tuple | Kind::Struct);
        let expected = 1 + moments + usize::from(program.steps());
        if !ordered || parts.len() != expected {
            let reason = format!("the state is no tuple or struct of {expected}");
            return Err(CallError::unsupported(def, reason));
        }
    }
    if program.steps() && parts.pop() != Some(TreeDef::LEAF) {
        return Err(CallError::unsupported(def, "the number of steps is no leaf"));
    }
    let (parameters, moments) = (parts[0], &parts[1..]);
    for (name, found) in std::iter::once(("gradients", gradients))
        .chain(["first moments", "second moments"].into_iter().zip(moments.iter().copied()))
    {
        if found != parameters {
            let summary = parameters.differences(found).summary();
            let reason =
                format!("the structure of the {name} is not that of the parameters: {summary}");
            return Err(CallError::unsupported(def, reason));
        }
    }
    Ok(())
}

/// The path of a leaf, for people.
fn path(def: TreeDef<'_>, leaf: usize) -> String {
    def.path(leaf).map_or_else(|| format!("leaf {leaf}"), |path| path.keystr().to_string())
}
