//! Executable memory: what is compiled into it, who owns it, and the call into it.

use std::cell::Cell;

use cranelift_codegen::Context;
use cranelift_codegen::ir::AbiParam;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use treedef::CallKey;

use crate::emit::emit;
use crate::error::CallError;
use crate::plan::Plan;
use crate::tensor::Tensor;

/// What compiled code takes: a table with the address of the elements of each leaf.
type Code = unsafe extern "C" fn(*const *const Cell<f32>);

/// Compiles keys.
///
/// What it compiles stays in memory as long as the program runs: `cranelift-jit` gives code back only where it is asked to,
/// by a function that is unsafe for a good reason. A cache that never evicts never wants to.
pub struct Compiler {
    module: JITModule,
    context: Context,
    frontend: FunctionBuilderContext,
}

impl Compiler {
    /// A compiler for the processor it runs on.
    pub fn new() -> Result<Self, CallError> {
        let flags = [("opt_level", "speed")];
        let module = JITModule::new(JITBuilder::with_flags(&flags, default_libcall_names())?);
        let context = module.make_context();
        Ok(Self { module, context, frontend: FunctionBuilderContext::new() })
    }

    /// Compiles the code of a key.
    ///
    /// Where it fails nothing is left behind, and the next key compiles.
    pub fn compile(
        &mut self,
        key: CallKey<'_>,
        progress: impl FnMut(usize, usize),
    ) -> Result<Kernel, CallError> {
        let plan = Plan::of(key)?;
        let kernel = self.generate(plan, progress);
        self.module.clear_context(&mut self.context);
        kernel
    }

    fn generate(
        &mut self,
        plan: Plan,
        progress: impl FnMut(usize, usize),
    ) -> Result<Kernel, CallError> {
        let config = self.module.target_config();
        let pointer = config.pointer_type();
        let function = &mut self.context.func;
        function.signature = self.module.make_signature();
        function.signature.params.push(AbiParam::new(pointer));
        let id = self.module.declare_anonymous_function(&function.signature)?;
        let mut builder = FunctionBuilder::new(function, &mut self.frontend);
        emit(&mut builder, &plan, pointer, progress);
        builder.finalize(config);
        self.module.define_function(id, &mut self.context)?;
        let code_bytes = self.context.compiled_code().map_or(0, |code| code.code_buffer().len());
        self.module.finalize_definitions()?;
        let code = self.module.get_finalized_function(id);
        Ok(Kernel { code, code_bytes, leaves: plan.leaves.into() })
    }
}

/// Compiled code, and what it may be called with.
#[derive(Debug)]
pub struct Kernel {
    code: *const u8,
    code_bytes: usize,
    /// The elements of each leaf that the code was compiled for.
    leaves: Box<[usize]>,
}

/// The table of a call, kept between calls for its memory.
#[derive(Debug, Default)]
pub struct Table(Vec<*const Cell<f32>>);

impl Kernel {
    /// The size of the machine code.
    pub const fn code_bytes(&self) -> usize {
        self.code_bytes
    }

    /// Runs on the leaves of a call, which are read and written in place.
    ///
    /// Every length is compared with what the code was compiled for. So a wrong key, treedef or cache makes an error of a
    /// call, and never an access outside of an array.
    pub fn run<'t>(
        &self,
        leaves: impl IntoIterator<Item = &'t Tensor>,
        table: &mut Table,
    ) -> Result<(), CallError> {
        let Table(table) = table;
        table.clear();
        for tensor in leaves {
            let (leaf, floats) = (table.len(), tensor.floats());
            let (expected, found) = (self.leaves.get(leaf).copied(), floats.map(<[_]>::len));
            match floats {
                Some(floats) if found == expected => table.push(floats.as_ptr()),
                _ => return Err(CallError::WrongArray { leaf, expected, found }),
            }
        }
        if let Some(expected) = self.leaves.get(table.len()).copied() {
            let (leaf, expected) = (table.len(), Some(expected));
            return Err(CallError::WrongArray { leaf, expected, found: None });
        }
        self.call(table);
        Ok(())
    }

    /// Jumps into the compiled code.
    #[expect(unsafe_code, reason = "the compiler of this program does not know the code that runs")]
    fn call(&self, table: &[*const Cell<f32>]) {
        // SAFETY: `code` is what `get_finalized_function` gave for a function that takes one pointer, returns nothing and has
        // the calling convention of C on this machine, as `make_signature` makes it. It is valid until `free_memory`, which
        // nothing calls.
        let code = unsafe { std::mem::transmute::<*const u8, Code>(self.code) };
        // SAFETY: the code reads as many pointers as `self.leaves` has lengths, and behind each pointer accesses floats within
        // that length; `run` has compared them all. The tensors are borrowed while it runs; their elements are cells, which
        // may be written behind shared references and alias each other, and no other thread sees them.
        unsafe { code(table.as_ptr()) };
    }
}
