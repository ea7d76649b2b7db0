//! A call: flattened, looked up, compiled if need be, and run.

use std::rc::Rc;
use std::time::{Duration, Instant};

use treedef::cache::{CacheStats, CallSite, GrowingCache, KeyBox, KeyWriter};
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

/// What a call site keeps: the kernel of its last call.
pub type Site = CallSite<Rc<Kernel>, ROOM>;

/// Finds or compiles the code of a key.
pub type LookUp<'l> = &'l mut dyn FnMut(CallKey<'_>) -> Result<Rc<Kernel>, CallError>;

/// The arguments of a step, `(state, gradients)`, as trees of either kind.
pub trait Arguments {
    /// Writes the structure into `bytes` and references to the leaves to `leaves`.
    fn flatten<'t, 'b>(
        &'t self,
        bytes: &'b mut [u8],
        leaves: &mut [Option<&'t Tensor>],
    ) -> Result<(TreeDef<'b>, usize), Error>;

    /// Flattens at a call site and gives its code, with the number of leaves.
    fn flatten_at<'t, 's>(
        &'t self,
        site: &'s mut Site,
        leaves: &mut [Option<&'t Tensor>],
        optimizer: &Optimizer,
        look_up: LookUp<'_>,
    ) -> Result<(&'s Kernel, usize), CallError>;
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

    fn flatten_at<'t, 's>(
        &'t self,
        site: &'s mut Site,
        leaves: &mut [Option<&'t Tensor>],
        optimizer: &Optimizer,
        look_up: LookUp<'_>,
    ) -> Result<(&'s Kernel, usize), CallError> {
        let count = refs_into(&self.0, leaves)?;
        let found = site.find(&self.0, |key| sign(&leaves[..count], optimizer, key), look_up)?;
        Ok((found, count))
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

    fn flatten_at<'t, 's>(
        &'t self,
        site: &'s mut Site,
        leaves: &mut [Option<&'t Tensor>],
        optimizer: &Optimizer,
        look_up: LookUp<'_>,
    ) -> Result<(&'s Kernel, usize), CallError> {
        let sign =
            |leaves: &[Option<&Tensor>], key: &mut KeyWriter<'_>| sign(leaves, optimizer, key);
        let (found, count) = site.flatten(Flatten::new(), self, leaves, sign, look_up)?;
        Ok((found, count))
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

/// A compiler and the code of all keys it has seen.
pub struct Jit {
    compiler: Compiler,
    cache: GrowingCache<KeyBox, Rc<Kernel>>,
    report: fn(&Event<'_>),
}

impl Jit {
    /// An empty one, which tells `report` what it does.
    pub fn new(report: fn(&Event<'_>)) -> Result<Self, CallError> {
        Ok(Self { compiler: Compiler::new()?, cache: GrowingCache::new(), report })
    }

    /// The code of all keys.
    pub const fn cache(&self) -> &GrowingCache<KeyBox, Rc<Kernel>> {
        &self.cache
    }

    /// The code of a key, compiled if it is not there. Where that fails, the cache is as it was.
    pub fn find(&mut self, key: CallKey<'_>) -> Result<Rc<Kernel>, CallError> {
        let Self { compiler, cache, report } = self;
        let mut compiled = None;
        let kernel = cache.get_or_insert_with(key, || {
            report(&Event::Missed(key));
            let start = Instant::now();
            let mut arrays = 0;
            let kernel = compiler.compile(key, |done, all| {
                arrays = all;
                report(&Event::Progress(done, all));
            })?;
            compiled = Some((arrays, start.elapsed()));
            Ok::<_, CallError>(Rc::new(kernel))
        })?;
        let kernel = Rc::clone(kernel);
        if let Some((arrays, took)) = compiled {
            let nearest = nearest(cache.iter().map(|(known, _)| known), key);
            let code_bytes = kernel.code_bytes();
            report(&Event::Compiled { key, nearest, arrays, code_bytes, took });
        }
        Ok(kernel)
    }
}

/// One place in a program that steps: its call site, and the memory that it uses again.
#[derive(Default)]
pub struct Caller {
    site: Box<Site>,
    table: Table,
}

impl Caller {
    /// The code of a call, with the number of leaves, which are written to `leaves`.
    pub fn find<'t>(
        &mut self,
        jit: &mut Jit,
        arguments: &'t dyn Arguments,
        leaves: &mut [Option<&'t Tensor>],
        optimizer: &Optimizer,
    ) -> Result<(&Kernel, usize), CallError> {
        arguments.flatten_at(&mut self.site, leaves, optimizer, &mut |key| jit.find(key))
    }

    /// A step: flattens the arguments, finds the code, and runs it.
    pub fn step<'t>(
        &mut self,
        jit: &mut Jit,
        arguments: &'t dyn Arguments,
        leaves: &mut [Option<&'t Tensor>],
        optimizer: &Optimizer,
    ) -> Result<(), CallError> {
        let Self { site, table } = self;
        let (kernel, count) =
            arguments.flatten_at(site, leaves, optimizer, &mut |key| jit.find(key))?;
        kernel.run(leaves[..count].iter().copied().flatten(), table)
    }

    /// How often the call site had what was asked for.
    pub const fn stats(&self) -> CacheStats {
        self.site.stats()
    }
}
