//! The schema of a type as a constant treedef, and whether a value of the type can have a structure.

use crate::base::error::Error;
use crate::base::message::Message;
use crate::encode::const_bytes::{MAX_CONST_BYTES, in_buckets};
use crate::encode::schema::Schema;
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

struct Constant<T: ?Sized>(core::marker::PhantomData<T>);

impl<T: Structure + ?Sized> Constant<T> {
    const LEN: usize = {
        let mut out = Writer::count();
        T::SCHEMA.describe(&mut out);
        match out.finish_count() {
            Ok((bytes, _)) if bytes <= MAX_CONST_BYTES => bytes,
            Ok(_) => panic!("the schema of this type is above MAX_CONST_BYTES"),
            Err(_) => panic!("the schema of this type has more than 64 levels"),
        }
    };

    const BYTES: &'static [u8] = in_buckets!(Self::LEN, written(T::SCHEMA));

    const DEF: TreeDef<'static> = match Self::BYTES.split_at_checked(Self::LEN) {
        Some((bytes, _)) => TreeDef::trusted(bytes, 0),
        None => TreeDef::NONE,
    };
}

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
/// differ. The treedef of a value, such as [`treedef_of`](crate::treedef_of), changes with each option and variant.
///
/// Its nodes have no leaves. A struct is itself. A leaf is a struct `a leaf` with its dtype or type as the meta field `type`; `an option`,
/// `a list`, `a map` and `an array` are structs with the field `of`, with their capacity as the meta field `room`, and the type of
/// keys as `key`; `an enum` is one with its variants as fields. A container by hand is `any tree`, unless it has a
/// [`SCHEMA`](Structure::SCHEMA).
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
pub const fn schema_of<T: Structure + ?Sized>() -> TreeDef<'static> {
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
pub const fn assert_named<T: Structure + ?Sized>() {
    const {
        if let Some(name) = T::SCHEMA.unnamed() {
            let advice =
                "` has the path of its module as its name: give it one by `#[tree(name = \"..\")]`";
            panic!("{}", Message::new(&["`", name, advice]).as_str());
        }
    }
}

/// Checks whether a value of the type can have this structure, without leaves.
///
/// It asks the [schema](schema_of) of the type. What a container by hand can have is not known, so it fits. The keys of maps, and the
/// values of meta fields that are no constants, are not checked.
///
/// # Errors
///
/// [`Error::Mismatch`] with the first node that a value cannot have; [`Error::explain_type`] says why. [`Error::Capacity`] for a
/// container with less room. [`Error::TooDeep`] above 64 levels.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::encode::fits;
/// use treedef::{Tree, treedef};
///
/// type Curve = Option<heapless::Vec<f32, 4>>;
/// assert_eq!(fits::<Curve>(treedef!([*, *])), Ok(()));
/// assert_eq!(fits::<Curve>(treedef!(None)), Ok(()));
/// assert!(fits::<Curve>(treedef!([*, *, *, *, *])).is_err());
/// assert!(fits::<Curve>(treedef!((*, *))).is_err());
/// # }
/// ```
pub fn fits<'a, T: Structure + ?Sized>(def: impl Into<TreeDef<'a>>) -> Result<(), Error> {
    let mut cursor = Cursor::new(def.into());
    T::SCHEMA.fits(&mut cursor, &mut Siblings::root(), None)
}
