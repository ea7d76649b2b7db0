//! From a plan to the code generator's own intermediate code: a loop of known length for every array.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;

use crate::kernels::{Op, Role};
use crate::plan::Plan;

/// Elements of one vector instruction.
const LANES: usize = 4;

/// Bytes of an element.
const SIZE: usize = size_of::<f32>();

/// Writes the body of a function that takes the table of arrays.
///
/// `progress` hears of each array: how many are done, and of how many.
pub fn emit(
    builder: &mut FunctionBuilder<'_>,
    plan: &Plan,
    pointer: Type,
    mut progress: impl FnMut(usize, usize),
) {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let table = builder.block_params(entry)[0];
    let mut emitter = Emitter { builder, plan, pointer, table, numbers: vec![], vectors: vec![] };
    emitter.once();
    for (array, elements) in plan.arrays.iter().enumerate() {
        progress(array, plan.arrays.len());
        emitter.array(array, *elements);
    }
    progress(plan.arrays.len(), plan.arrays.len());
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
}

struct Emitter<'e, 'f> {
    builder: &'e mut FunctionBuilder<'f>,
    plan: &'e Plan,
    pointer: Type,
    table: Value,
    /// The registers of [`Program::once`](crate::kernels::Program::once).
    numbers: Vec<Value>,
    /// The same, each as a vector of equal elements.
    vectors: Vec<Value>,
}

/// The address of an operand's elements for each role. Those that the program does not load are not used.
type Pointers = [Value; Role::ALL.len()];

impl Emitter<'_, '_> {
    /// The pointer to a leaf's elements.
    fn pointer(&mut self, leaf: usize) -> Value {
        let offset = leaf as i64 * i64::from(self.pointer.bytes());
        let entry = self.builder.ins().iadd_imm_u(self.table, offset);
        // The table does not change, and holds aligned pointers.
        self.builder.ins().load(self.pointer, MemFlagsData::trusted().with_readonly(), entry, 0)
    }

    /// What is done once for a call.
    fn once(&mut self) {
        let plan = self.plan;
        for op in &plan.program.once {
            let value = match *op {
                Op::Constant(number) => self.builder.ins().f32const(number),
                Op::Step => {
                    let step = self.step();
                    self.builder.ins().load(types::F32, MemFlagsData::trusted(), step, 0)
                }
                Op::SetStep(number) => {
                    let (number, step) = (self.numbers[number], self.step());
                    self.builder.ins().store(MemFlagsData::trusted(), number, step, 0);
                    number
                }
                Op::Power(base, exponent) => self.power(self.numbers[base], self.numbers[exponent]),
                op => arithmetic(self.builder, op, &self.numbers),
            };
            self.numbers.push(value);
            self.vectors.push(self.builder.ins().splat(types::F32X4, value));
        }
    }

    fn step(&mut self) -> Value {
        let leaf = self.plan.step().expect("a program that counts steps has them in its plan");
        self.pointer(leaf)
    }

    /// `base` to the power of a whole number, by squaring: a loop over the bits of the exponent.
    fn power(&mut self, base: Value, exponent: Value) -> Value {
        let [check, square, done] = [(); 3].map(|()| self.builder.create_block());
        let [result, power] = [(); 2].map(|()| self.builder.append_block_param(check, types::F32));
        let bits = self.builder.append_block_param(check, types::I32);
        let one = self.builder.ins().f32const(1.0);
        let exponent = self.builder.ins().fcvt_to_uint_sat(types::I32, exponent);
        self.builder.ins().jump(check, &[one, base, exponent].map(BlockArg::from));

        self.builder.switch_to_block(check);
        self.builder.ins().brif(bits, square, &[], done, &[]);

        self.builder.switch_to_block(square);
        let odd = self.builder.ins().band_imm_u(bits, 1);
        let product = self.builder.ins().fmul(result, power);
        let product = self.builder.ins().select(odd, product, result);
        let squared = self.builder.ins().fmul(power, power);
        let rest = self.builder.ins().ushr_imm_u(bits, 1);
        self.builder.ins().jump(check, &[product, squared, rest].map(BlockArg::from));

        self.builder.switch_to_block(done);
        result
    }

    /// All elements of an array: vectors in a loop, then the few that are left one by one.
    fn array(&mut self, array: usize, elements: usize) {
        if elements == 0 {
            return;
        }
        let plan = self.plan;
        let pointers = Role::ALL.map(|role| match plan.program.loads(role) {
            true => self.pointer(plan.leaf(role, array)),
            false => self.table,
        });
        let vectors = elements / LANES;
        match vectors {
            0 => {}
            1 => self.each(&pointers, types::F32X4),
            _ => self.vector_loop(&pointers, vectors),
        }
        for element in vectors * LANES..elements {
            let offset = (element * SIZE) as i64;
            let moved = pointers.map(|pointer| self.builder.ins().iadd_imm_u(pointer, offset));
            self.each(&moved, types::F32);
        }
    }

    /// A loop over so many vectors.
    fn vector_loop(&mut self, pointers: &Pointers, count: usize) {
        let [body, done] = [(); 2].map(|()| self.builder.create_block());
        let offset = self.builder.append_block_param(body, self.pointer);
        let zero = self.builder.ins().iconst(self.pointer, 0);
        self.builder.ins().jump(body, &[zero.into()]);

        self.builder.switch_to_block(body);
        let moved = pointers.map(|pointer| self.builder.ins().iadd(pointer, offset));
        self.each(&moved, types::F32X4);
        let next = self.builder.ins().iadd_imm_u(offset, (LANES * SIZE) as i64);
        let end = (count * LANES * SIZE) as i64;
        let more = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, next, end);
        self.builder.ins().brif(more, body, &[next.into()], done, &[]);

        self.builder.switch_to_block(done);
    }

    /// What is done to one element, or to a vector of them.
    fn each(&mut self, pointers: &Pointers, lanes: Type) {
        let plan = self.plan;
        // Elements of floats are not aligned as vectors.
        let flags = MemFlagsData::new().with_notrap();
        let once = if lanes == types::F32 { &self.numbers } else { &self.vectors };
        let mut values = once.clone();
        for op in &plan.program.each {
            let value = match *op {
                Op::Load(role) => self.builder.ins().load(lanes, flags, pointers[role as usize], 0),
                Op::Store(role, register) => {
                    let value = values[register];
                    self.builder.ins().store(flags, value, pointers[role as usize], 0);
                    value
                }
                op => arithmetic(self.builder, op, &values),
            };
            values.push(value);
        }
    }
}

/// An operation that is the same for numbers and vectors.
fn arithmetic(builder: &mut FunctionBuilder<'_>, op: Op, values: &[Value]) -> Value {
    let ins = builder.ins();
    match op {
        Op::Add(a, b) => ins.fadd(values[a], values[b]),
        Op::Sub(a, b) => ins.fsub(values[a], values[b]),
        Op::Mul(a, b) => ins.fmul(values[a], values[b]),
        Op::Div(a, b) => ins.fdiv(values[a], values[b]),
        Op::Sqrt(a) => ins.sqrt(values[a]),
        op => unreachable!("{op:?} is no arithmetic"),
    }
}
