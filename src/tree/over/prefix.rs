//! Declares prefixes of structs.

/// Makes a struct a prefix of another struct, for [`Over::under`](crate::tree::Over::under): each of its fields is a prefix of the
/// field of that name.
///
/// Both structs are named with the type of their leaves. The fields that are trees are listed in the order in which both declare
/// them, and all of them are: otherwise the macro does not compile. Fields with `meta` or `skip` are left out. A struct with parameters
/// is named by an alias: `type Net = Dense<f32>;`. Fields that are renamed by `#[tree(name = "..")]` are listed as Rust names them, and
/// only their number is checked.
/// For [`Over::only`](crate::tree::Over::only), the struct with leaves of several types is named with
/// [`AnyLeaves`](crate::tree::AnyLeaves): `of Model: AnyLeaves`.
/// No macro is needed for a struct that has a type parameter for each field: with `struct Mlp<E, D> { encoder: E, decoder: D }`,
/// an `Mlp<f32, f32>` is a prefix.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::{Tree, over};
///
/// #[derive(Tree, Debug, PartialEq)]
/// struct Linear { weights: [f32; 2], bias: f32 }
///
/// #[derive(Tree, Debug, PartialEq)]
/// struct Mlp { encoder: Linear, decoder: Linear }
///
/// #[derive(Tree)]
/// struct Rates { encoder: f32, decoder: f32 }
///
/// treedef::prefix!(Rates { encoder, decoder }: f32, of Mlp: f32);
///
/// let linear = |x| Linear { weights: [x; 2], bias: x };
/// let mut mlp = Mlp { encoder: linear(1.0), decoder: linear(2.0) };
/// over(&mut mlp).under(&Rates { encoder: 0.5, decoder: 10.0 }).for_each(|(x, rate)| *x *= rate)?;
/// assert_eq!(mlp, Mlp { encoder: linear(0.5), decoder: linear(20.0) });
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[macro_export]
macro_rules! prefix {
    ($prefix:ident { $($field:ident),+ $(,)? }: $leaf:ty, of $full:ident: $other:ty) => {
        const _: () = {
            use $crate::__private as d__;

            d__::check_prefix::<$prefix>(&[$(::core::stringify!($field)),+]);
            d__::check_prefix::<$full>(&[$(::core::stringify!($field)),+]);

            impl d__::ZipPrefix<$leaf, $other, $full> for $prefix {
                fn zip_lanes<'p, 'a, P__: d__::Lanes, L__: d__::Lanes, E__: d__::From<d__::Error>>(
                    prefix: d__::Trees<'p, P__, Self>,
                    trees: d__::Trees<'a, L__, $full>,
                    pairing: &mut d__::Pairing,
                    visit: &mut impl d__::FnMut(d__::Trees<'p, P__, $leaf>, d__::Leaves<'a, L__, $other>) -> d__::Result<(), E__>,
                ) -> d__::Result<(), E__> {
                    pairing.count_node::<L__>();
                    let prefix = P__::map(prefix, $crate::prefix!(@of $prefix $($field)+), $crate::prefix!(@of $prefix $($field)+));
                    let trees = L__::map(trees, $crate::prefix!(@of $full $($field)+), $crate::prefix!(@of $full $($field)+));
                    $(
                        let ($field, prefix) = P__::unzip(prefix);
                        let (other, trees) = L__::unzip(trees);
                        <_ as d__::ZipPrefix<$leaf, $other, _>>::zip_lanes::<P__, L__, E__>($field, other, pairing, visit)?;
                    )+
                    let _ = (prefix, trees);
                    d__::Ok(())
                }
            }
        };
    };
    (@of $ty:ident $($field:ident)+) => { |$ty { $($field,)+ .. }| $crate::prefix!($($field)+) };
    () => { () };
    ($field:ident $($rest:ident)*) => { ($field, $crate::prefix!($($rest)*)) };
}
