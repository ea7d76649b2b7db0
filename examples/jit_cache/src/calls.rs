//! A call: flattened, looked up, compiled if need be, and run.

use std::rc::Rc;
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use treedef::cache::{ByFingerprint, CacheStats, FingerprintState, KeyBox, KeyWriter};
use treedef::dynamic::Flatten;
use treedef::tree::{Structure, TreeRead, refs_into};
use treedef::{CallKey, Error, TreeDef, structure_into};

use crate::error::CallError;
use crate::explain::nearest;
use crate::jit::{Compiler, Kernel, Table};
use crate::models::Value;
use crate::optimizer::Optimizer;
use crate::tensor::Tensor;

/// Bytes for the largest key: that of GPT-2 with its two means is half as long.
pub const ROOM: usize = 8192;

/// The arguments of a step, `(state, gradients)`, as trees of either kind.
pub trait Arguments {
    /// Writes the structure into `bytes` and references to the leaves to `leaves`.
    fn flatten<'t, 'b>(
        &'t self,
        bytes: &'b mut [u8],
        leaves: &mut [Option<&'t Tensor>],
    ) -> Result<(TreeDef<'b>, usize), Error>;
}

/// What stands behind the structure in a key: the array of each leaf, and the static argument.
pub fn sign(leaves: &[Option<&Tensor>], optimizer: &Optimizer, key: &mut KeyWriter<'_>) {
    key.leaves(leaves.iter().flatten()).meta(optimizer);
}

/// The key of a call, written into `bytes`.
pub fn key<'b>(
    def: TreeDef<'_>,
    leaves: &[Option<&Tensor>],
    optimizer: &Optimizer,
    bytes: &'b mut [u8],
) -> Result<CallKey<'b>, Error> {
    let mut key = KeyWriter::new(bytes);
    sign(leaves, optimizer, key.treedef(def));
    key.finish()
}

/// Rust types that are trees.
pub struct Typed<T>(pub T);

impl<T: Structure + TreeRead<Tensor>> Arguments for Typed<T> {
    fn flatten<'t, 'b>(
        &'t self,
        bytes: &'b mut [u8],
        leaves: &mut [Option<&'t Tensor>],
    ) -> Result<(TreeDef<'b>, usize), Error> {
        Ok((structure_into(&self.0, bytes)?, refs_into(&self.0, leaves)?))
    }
}

/// Objects of a model of their own.
impl Arguments for Value {
    fn flatten<'t, 'b>(
        &'t self,
        bytes: &'b mut [u8],
        leaves: &mut [Option<&'t Tensor>],
    ) -> Result<(TreeDef<'b>, usize), Error> {
        Flatten::new().flatten_into(self, bytes, leaves)
    }
}

/// What happens while a call has no code yet.
pub enum Event<'e> {
    /// The code of a key is not there.
    Missed(CallKey<'e>),
    /// So many arrays of so many have their code.
    Progress(usize, usize),
    /// The code is there.
    Compiled {
        /// What was compiled.
        key: CallKey<'e>,
        /// The known key that differs least, if one is of the same model.
        nearest: Option<CallKey<'e>>,
        /// The arrays of parameters.
        arrays: usize,
        /// The size of the machine code.
        code_bytes: usize,
        /// How long it took.
        took: Duration,
    },
}

/// The code of all keys. The keys are this program's own, so their fingerprints can be the hashes.
type Kernels = HashMap<ByFingerprint<KeyBox>, Rc<Kernel>, FingerprintState>;

/// A compiler and the code of all keys it has seen.
pub struct Jit {
    compiler: Compiler,
    cache: Kernels,
    stats: CacheStats,
    report: fn(&Event<'_>),
}

impl Jit {
    /// An empty one, which tells `report` what it does.
    pub fn new(report: fn(&Event<'_>)) -> Result<Self, CallError> {
        let compiler = Compiler::new()?;
        Ok(Self { compiler, cache: Kernels::default(), stats: CacheStats::default(), report })
    }

    /// The number of keys that have code.
    pub fn compiled(&self) -> usize {
        self.cache.len()
    }

    /// Look-ups that found code, and those that did not.
    pub const fn stats(&self) -> CacheStats {
        self.stats
    }

    /// The code of a key, compiled if it is not there. Where that fails, the cache is as it was.
    pub fn find(&mut self, key: CallKey<'_>) -> Result<Rc<Kernel>, CallError> {
        let by_fingerprint = ByFingerprint::from(key);
        if let Some(kernel) = self.cache.get(&by_fingerprint) {
            self.stats.hits += 1;
            return Ok(Rc::clone(kernel));
        }
        self.stats.misses += 1;
        let report = self.report;
        report(&Event::Missed(key));
        let (start, mut arrays) = (Instant::now(), 0);
        let kernel = self.compiler.compile(key, |done, all| {
            arrays = all;
            report(&Event::Progress(done, all));
        })?;
        let (code_bytes, took) = (kernel.code_bytes(), start.elapsed());
        let nearest = nearest(self.cache.keys().map(ByFingerprint::as_key), key);
        report(&Event::Compiled { key, nearest, arrays, code_bytes, took });
        let kernel = Rc::new(kernel);
        self.cache.insert((&by_fingerprint).into(), Rc::clone(&kernel));
        Ok(kernel)
    }
}

/// A place in a program that steps, with the memory that it uses again.
pub struct Caller {
    bytes: [u8; ROOM],
    key: [u8; ROOM],
    table: Table,
}

impl Default for Caller {
    fn default() -> Self {
        Self { bytes: [0; ROOM], key: [0; ROOM], table: Table::default() }
    }
}

impl Caller {
    /// A step: flattens the arguments, finds the code, and runs it.
    pub fn step<'t>(
        &mut self,
        jit: &mut Jit,
        arguments: &'t dyn Arguments,
        leaves: &mut [Option<&'t Tensor>],
        optimizer: &Optimizer,
    ) -> Result<(), CallError> {
        let (def, count) = arguments.flatten(&mut self.bytes, leaves)?;
        let kernel = jit.find(key(def, &leaves[..count], optimizer, &mut self.key)?)?;
        kernel.run(leaves[..count].iter().copied().flatten(), &mut self.table)
    }
}
