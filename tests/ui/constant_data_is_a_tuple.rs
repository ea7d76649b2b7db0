//~ `a::Grid` has no constant treedef: it depends on its value (an enum, `Option`, `Vec`, a map, a meta field): use structure_into
//~! MAX_CONST_BYTES

use treedef::container::{Fields, Schema, Schemas};
use treedef::format::ValueTuple;
use treedef::Value;
use treedef::tree::HasSchema;

struct Grid(f32);

const META: &[(&str, Value<'static>)] =
    &[("size", Value::Tuple(ValueTuple::new(&[Value::Int(3), Value::Int(4)])))];

impl HasSchema for Grid {
    const SCHEMA: &'static Schema = &Schema::Struct(&Fields {
        name: "a::Grid",
        head: None,
        is_named: false,
        fields: &["x"],
        children: Schemas::new(&[f32::SCHEMA]),
        meta: META,
        aliases: &[],
    });
}

pub const DEF: treedef::TreeDef<'static> = treedef::treedef_of::<Grid>();
