//! A small compiler: loops over arrays whose length and factor are compiled into the code.
//!
//! An artifact is the machine code of one function without relocations, so it runs wherever it is loaded.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Type, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use treedef::cache::{Dtype, KeyBox, Part};
use treedef::format::FromValue;
use treedef::{CallKey, Value};

/// What compiled code is called with: the elements of the two arrays.
type Code = unsafe extern "C" fn(*const f32, *mut f32);

/// Compiles the calls of two functions: `scale_add` is `y = scale * x + y`, `scale_mul` is `y = scale * x * y`.
pub struct Compiler {
    module: JITModule,
    target: String,
    cpu: String,
}

impl Compiler {
    /// A compiler for the processor it runs on.
    pub fn new() -> Result<Self, String> {
        let flags = [("opt_level", "speed")];
        let builder = JITBuilder::with_flags(&flags, default_libcall_names()).map_err(text)?;
        let module = JITModule::new(builder);
        let target = module.isa().triple().to_string();
        let flags = module.isa().isa_flags();
        let enabled = flags.iter().filter(|flag| flag.as_bool() != Some(false));
        let cpu = enabled.map(ToString::to_string).collect::<Vec<_>>().join(" ");
        Ok(Self { module, target, cpu })
    }

    /// The key of a call. All that the code depends on is in it, also who compiles and for which processor.
    pub fn key(&self, function: &str, len: usize, scale: f32) -> Result<KeyBox, treedef::Error> {
        KeyBox::build(|key| {
            key.meta(function).array(Dtype::Float32, false, &[len]).meta(&scale);
            key.named("compiler", concat!("shared_cache ", env!("CARGO_PKG_VERSION")));
            key.named("cranelift", cranelift_codegen::VERSION);
            key.named("target", self.target.as_str()).named("cpu", self.cpu.as_str());
        })
    }

    /// The machine code for a key, which is all that it reads.
    pub fn compile(&self, key: CallKey<'_>) -> Result<Vec<u8>, String> {
        let call = Call::of(key).ok_or_else(|| format!("no function has the call {key}"))?;
        let isa = self.module.isa();
        let mut context = self.module.make_context();
        context.func.signature = self.signature();
        let mut frontend = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        emit(&mut builder, isa.pointer_type(), &call);
        builder.finalize(self.module.target_config());
        let code =
            context.compile(isa, &mut Default::default()).map_err(|error| text(error.inner))?;
        match code.buffer.relocs() {
            [] => Ok(code.code_buffer().to_vec()),
            _ => Err("the code has relocations, so it cannot be stored".into()),
        }
    }

    /// Makes machine code executable. It has to be what [`Compiler::compile`] makes for this key.
    pub fn load(&mut self, key: CallKey<'_>, code: &[u8]) -> Result<Kernel, String> {
        let call = Call::of(key).ok_or_else(|| format!("no function has the call {key}"))?;
        let signature = self.signature();
        let id = self.module.declare_anonymous_function(&signature).map_err(text)?;
        self.module.define_function_bytes(id, 16, code, &[]).map_err(text)?;
        self.module.finalize_definitions().map_err(text)?;
        Ok(Kernel { code: self.module.get_finalized_function(id), len: call.len })
    }

    fn signature(&self) -> Signature {
        let mut signature = self.module.make_signature();
        let pointer = AbiParam::new(self.module.isa().pointer_type());
        signature.params.extend([pointer, pointer]);
        signature
    }
}

/// The text of an error.
fn text(error: impl std::fmt::Display) -> String {
    format!("the code generator failed: {error}")
}

/// A call as its key has it.
struct Call<'k> {
    function: &'k str,
    len: usize,
    scale: f32,
}

impl<'k> Call<'k> {
    fn of(key: CallKey<'k>) -> Option<Self> {
        let mut parts = key.parts();
        let Part::Value(Value::Str(function @ ("scale_add" | "scale_mul"))) = parts.next()? else {
            return None;
        };
        let Part::Array(array) = parts.next()? else { return None };
        let Part::Value(scale) = parts.next()? else { return None };
        let len = array.num_elements()?.try_into().ok()?;
        Some(Self { function, len, scale: f32::from_value(scale)? })
    }
}

/// Writes the loop.
fn emit(builder: &mut FunctionBuilder<'_>, pointer: Type, call: &Call<'_>) {
    let [entry, body, done] = [(); 3].map(|()| builder.create_block());
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let [x, y] = [0, 1].map(|at| builder.block_params(entry)[at]);
    let scale = builder.ins().f32const(call.scale);
    let zero = builder.ins().iconst(pointer, 0);
    let end = builder.ins().iconst(pointer, 4 * call.len as i64);
    let offset = builder.append_block_param(body, pointer);
    builder.ins().brif(end, body, &[zero.into()], done, &[]);

    builder.switch_to_block(body);
    let [x, y] = [x, y].map(|start| builder.ins().iadd(start, offset));
    let flags = MemFlagsData::trusted();
    let [old, factor] = [y, x].map(|at| builder.ins().load(types::F32, flags, at, 0));
    let product = builder.ins().fmul(scale, factor);
    let new = match call.function {
        "scale_add" => builder.ins().fadd(product, old),
        _ => builder.ins().fmul(product, old),
    };
    builder.ins().store(flags, new, y, 0);
    let next = builder.ins().iadd_imm_u(offset, 4);
    let more = builder.ins().icmp(IntCC::UnsignedLessThan, next, end);
    builder.ins().brif(more, body, &[next.into()], done, &[]);

    builder.switch_to_block(done);
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
}

/// Code in executable memory, which stays as long as the program runs.
pub struct Kernel {
    code: *const u8,
    len: usize,
}

impl Kernel {
    /// Runs the code, if both arrays have the length that it was compiled for.
    #[expect(unsafe_code, reason = "the compiler of this program does not know the code that runs")]
    pub fn run(&self, x: &[f32], y: &mut [f32]) -> Result<(), String> {
        if (x.len(), y.len()) != (self.len, self.len) {
            return Err(format!("compiled for {} elements, called with others", self.len));
        }
        // SAFETY: `code` is a function of two pointers in the calling convention of C, compiled for the key of this kernel.
        // If it comes from the store, its checksum and its key were compared: it is what some process stored. That this
        // process was honest is what sharing code means: whoever can write to the store decides what runs here.
        let code = unsafe { std::mem::transmute::<*const u8, Code>(self.code) };
        // SAFETY: the code accesses `len` elements behind each pointer, which are there.
        unsafe { code(x.as_ptr(), y.as_mut_ptr()) };
        Ok(())
    }
}
