//! The calls of one thread: code that it has loaded is found without a key, and without the store.

use treedef::cache::{Dtype, KeyPart, KeyWriter, Known};
use treedef::format::ToValue;

use crate::compiler::Kernel;

/// An array, an argument of a call.
#[derive(treedef::Leaf)]
pub struct Vector(pub Vec<f32>);

/// Code depends on the length.
impl KeyPart for Vector {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        key.array(Dtype::Float32, false, &[self.0.len()]);
    }
}

/// The arguments: `x` and `y`.
pub type Arguments = (Vector, Vector);

/// The code that this thread has loaded.
///
/// The key of an object in the store has the compiler and the processor, some hundred bytes, of which BLAKE3 makes a name. They are the same
/// for all calls of a process, so here a call is found by what differs from call to call: the two lengths, and the static arguments.
#[derive(Default)]
pub struct Loaded {
    known: Known<Arguments, Kernel, 64>,
}

impl Loaded {
    /// The code of a call. `load` finds it in the store, or compiles it.
    pub fn find<E: From<treedef::Error>>(
        &mut self,
        function: &str,
        scale: f32,
        arguments: &Arguments,
        load: impl FnOnce() -> Result<Kernel, E>,
    ) -> Result<&Kernel, E> {
        let known = &mut self.known;
        (function, scale).with_value(|call| {
            known.get_or_insert_with((arguments, call), |_| load()).map(|kernel| &*kernel)
        })
    }

    /// The calls that were found here.
    pub fn hits(&self) -> usize {
        self.known.stats().hits
    }
}
