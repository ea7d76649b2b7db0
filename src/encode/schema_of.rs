//! The schema of a type as a constant treedef.

use crate::base::attempt::any;
use crate::base::bytes::{equal_words, first};
use crate::base::message::Message;
use crate::encode::const_bytes::{MAX_CONST_BYTES, in_buckets};
use crate::encode::schema::{Fields, Schema, each_inside};
use crate::encode::structure::HasSchema;
use crate::encode::writer::{OpenNode, Writer};
use crate::format::value::Value;
use crate::treedef::treedef::TreeDef;

struct Constant<T: ?Sized>(core::marker::PhantomData<T>);

impl<T: HasSchema + ?Sized> Constant<T> {
    const LEN: usize = {
        let mut out = Writer::count();
        T::SCHEMA.describe(&mut out);
        match out.finish_len() {
            Ok(bytes) if bytes <= MAX_CONST_BYTES => bytes,
            Ok(_) => panic!("the schema of this type is above the 16384 bytes of MAX_CONST_BYTES"),
            Err(_) => panic!("the schema of this type has more than 64 levels"),
        }
    };

    const BYTES: &'static [u8] = in_buckets!(Self::LEN, written(T::SCHEMA));

    const DEF: TreeDef<'static> = TreeDef::trusted(first(Self::BYTES, Self::LEN), 0);
}

/// The names of the nodes that are no structs of the program.
const WORDS: &[&str] =
    &["a leaf", "a list", "a map", "a recursion", "an array", "an enum", "an option", "any tree"];

/// The bytes of a schema, which has at most `N`.
const fn written<const N: usize>(schema: &Schema) -> [u8; N] {
    let mut bytes = [0; N];
    let mut out = Writer::new(&mut bytes);
    schema.describe(&mut out);
    bytes
}

/// The schema of a type as a treedef: a constant key of all that its values can be.
///
/// Two programs that exchange or store values of a type agree about the type if these treedefs are equal; their
/// [`fingerprint`](TreeDef::fingerprint) is a key of 64 bits, and their [`differences`](TreeDef::differences) say where the types
/// differ. Send the key as [`record_key`](crate::record::record_key), which does not compile for a type that its key does not describe.
/// The treedef of a value, such as [`treedef_of`](crate::treedef_of), changes with each option and variant.
///
/// Its nodes have no leaves. A struct is itself. A leaf is a struct `a leaf` with its dtype or type as the meta field `type`; `an option`,
/// `a list`, `a map` and `an array` are structs with the field `of`, with their capacity as the meta field `room`, and the type of
/// keys as `key`; `an enum` is one with its variants as fields. A container by hand is `any tree`, unless it has a
/// [`SCHEMA`](HasSchema::SCHEMA). A struct with one of these names does not compile here.
///
/// Of a meta field it has the constant or the name of its type, [`TYPE`](crate::format::ToValue::TYPE). Of a leaf type it has the
/// name alone, which `#[derive(Leaf)]` can give it, and not its variants or fields. A leaf type with
/// parameters is named without its arguments: `AsLeaf<f32>` and `AsLeaf<f64>` have one schema. Only a `heapless::String<8>` is
/// `str<8>`, with its capacity. Keys and meta fields whose `TYPE` is that of the trait have one schema, too; those with
/// `#[derive(Meta)]` have the name of their type as it.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::{Tree, TreeDef, schema_of};
///
/// #[derive(Tree)]
/// #[tree(name = "fw::Mode")]
/// enum Mode { Off, Torque { max: f32 } }
///
/// #[derive(Tree)]
/// #[tree(name = "fw::Motor")]
/// struct Motor { mode: Mode, trim: Option<f32>, curve: heapless::Vec<f32, 4> }
///
/// // The next version.
/// #[derive(Tree)]
/// #[tree(name = "fw::Motor")]
/// struct NextMotor { mode: Mode, trim: Option<f64>, curve: heapless::Vec<f32, 8> }
///
/// const KEY: u64 = schema_of::<Motor>().fingerprint();
/// assert_ne!(KEY, schema_of::<NextMotor>().fingerprint());
///
/// let next: TreeDef<'static> = schema_of::<NextMotor>();
/// let differences = schema_of::<Motor>().differences(next).flatten();
/// assert!(differences.map(|one| one.to_string()).eq([
///     "at .trim.of: expected type = 'float32', found type = 'float64'",
///     "at .curve: expected room = 4, found room = 8",
/// ]));
/// # }
/// ```
#[must_use]
pub const fn schema_of<T: HasSchema + ?Sized>() -> TreeDef<'static> {
    const { Constant::<T>::DEF }
}

/// Checks at compile time that every struct and enum in a type has a name of its own, by `#[tree(name = "..")]`.
///
/// Without one, the name is the path of the module, so what was stored cannot be loaded by name any more when the type moves
/// to another module, or the crate gets another name.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// #[derive(treedef::Tree)]
/// #[tree(name = "app::Config")]
/// struct Config { gain: f32 }
///
/// const _: () = treedef::encode::assert_named::<Config>();
/// # }
/// ```
///
/// ```compile_fail
/// #[derive(treedef::Tree)]
/// struct Config { gain: f32 }
///
/// const _: () = treedef::encode::assert_named::<Config>();
/// ```
pub const fn assert_named<T: HasSchema + ?Sized>() {
    const {
        if let Some(name) = T::SCHEMA.unnamed() {
            let advice =
                "` has the path of its module as its name: give it one by `#[tree(name = \"..\")]`";
            panic!("{}", Message::new(&["`", name, advice]).as_str());
        }
    }
}

/// Checks at compile time that the key of a type, the [`fingerprint`](TreeDef::fingerprint) of its [`schema_of`], says all that its
/// values can be, as far as types have names: so values of another type are not taken for its own.
///
/// Three kinds of types do not compile. Types that contain each other, in different definitions, have the schema `any tree` where
/// one contains the other. A container by hand without a [`SCHEMA`](HasSchema::SCHEMA) has it, too. A leaf type with parameters has one
/// name for all of them: all `AsLeaf<T>` are `AsLeaf<T>`. Write a leaf type of your own around such a type, without parameters.
///
/// It does not look at the types of keys and meta fields, whose values say themselves what they are.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::encode::assert_key;
/// use treedef::schema_of;
///
/// #[derive(treedef::Leaf)]
/// #[tree(name = "app::Image")]
/// struct Image([u8; 64]);
///
/// #[derive(treedef::Tree)]
/// #[tree(name = "app::Shot")]
/// struct Shot { image: Image, gain: Option<f32> }
///
/// const _: () = assert_key::<Shot>();
/// const KEY: u64 = schema_of::<Shot>().fingerprint();
/// # assert_ne!(KEY, 0);
/// # }
/// ```
///
/// ```compile_fail
/// use treedef::tree::AsLeaf;
///
/// #[derive(treedef::Tree)]
/// struct Shot { image: AsLeaf<[u8; 64]>, gain: Option<f32> }
///
/// const _: () = treedef::encode::assert_key::<Shot>();
/// ```
pub const fn assert_key<T: HasSchema + ?Sized>() {
    const {
        if let Some((place, [before, after])) = T::SCHEMA.unseen(None) {
            let (open, place, close) = match place {
                Some(place) => ("`", place, "`"),
                None => ("", "this type", ""),
            };
            let start = "the key of this type is not its own: ";
            panic!("{}", Message::new(&[start, before, open, place, close, after]).as_str());
        }
    }
}

impl Schema {
    /// What a key does not say of the schema, which is a part of the type `place`: a name, and a clause around it.
    const fn unseen(
        &self,
        place: Option<&'static str>,
    ) -> Option<(Option<&'static str>, [&'static str; 2])> {
        match self {
            Schema::Leaf(name, _, true) => {
                let after = " is the name of leaf types that differ in a parameter: put this one in a leaf type without \
                             parameters, by `#[derive(treedef::Leaf)]`";
                return Some((Some(name), ["", after]));
            }
            Schema::Pointer(_) => {
                let after = " and another type contain each other, and the key does not say what is in the other";
                return Some((place, ["", after]));
            }
            Schema::Unknown => {
                let before = "a container by hand in ";
                return Some((place, [before, " has no `SCHEMA`, and can be any tree"]));
            }
            _ => {}
        }
        let place = if let Schema::Struct(record) = self { Some(record.name) } else { place };
        each_inside!(self, child => if let Some(unseen) = child.unseen(place) { return Some(unseen) });
        None
    }

    /// Describes the schema as a treedef without leaves.
    #[expect(clippy::panic, reason = "it is called at compile time")]
    const fn describe(&self, out: &mut Writer<'_>) {
        let node = match self {
            Schema::Leaf(name, ..) => {
                out.begin_struct_with("a leaf", &[], &[("type", Value::Str(name))])
            }
            Schema::Pointer(_) | Schema::Unknown => out.begin_struct("any tree", &[]),
            Schema::Recursive(name) => {
                out.begin_struct_with("a recursion", &[], &[("to", Value::Str(name))])
            }
            Schema::Tuple(children) => out.begin_tuple(children.as_slice().len()),
            Schema::Array(count, _) => begin_of(out, "an array", Some(*count)),
            Schema::List(room, _) => begin_of(out, "a list", *room),
            Schema::Map(room, key, _) => {
                let meta = &[("key", Value::Str(key)), ("room", room_value(*room))];
                out.begin_struct_with("a map", &["of"], meta)
            }
            Schema::Optional(_) => begin_of(out, "an option", None),
            Schema::Struct(Fields { name, fields, meta, .. }) => {
                if any!(WORDS, word => equal_words(word.as_bytes(), name.as_bytes())) {
                    let advice = "` is what schemas call a part without a name: give the struct another \
                                  name, by `#[tree(name = \"..\")]`";
                    panic!("{}", Message::new(&["`", name, advice]).as_str())
                }
                out.begin_struct_with(name, fields, meta)
            }
            Schema::Enum(names, _) => out.begin_struct("an enum", names),
        };
        each_inside!(self, child => child.describe(out));
        out.end(node);
    }

    /// The first type without a name of its own, if there is one.
    const fn unnamed(&self) -> Option<&'static str> {
        if let Schema::Struct(record) = self
            && !record.is_named
        {
            return Some(record.name);
        }
        each_inside!(self, child => if let Some(name) = child.unnamed() { return Some(name) });
        None
    }
}

const fn begin_of(out: &mut Writer<'_>, name: &str, room: Option<usize>) -> OpenNode {
    match room {
        Some(_) => out.begin_struct_with(name, &["of"], &[("room", room_value(room))]),
        None => out.begin_struct(name, &["of"]),
    }
}

const fn room_value(room: Option<usize>) -> Value<'static> {
    match room {
        #[expect(clippy::cast_possible_wrap, reason = "no array is that long")]
        Some(room) => Value::Int(room as i64),
        None => Value::None,
    }
}
