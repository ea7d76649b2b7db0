//! What must compile: the code of macros and derives names nothing that the module around it can have otherwise. It has no prelude,
//! own items with the names of the prelude and of primitive types, methods of the names that the code calls on every type, and
//! fields and parameters with the names of the code.
#![no_implicit_prelude]
#![deny(warnings)]
#![allow(dead_code, unused_macros, unused_imports, non_camel_case_types, non_upper_case_globals, non_snake_case)]

macro_rules! own {
    ($($name:ident)*) => {$(
        /// An own item.
        pub struct $name;
    )*};
}

own!(bool char str f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
own!(Box String Vec Option Some None Result Ok Err Clone Copy Default Debug PartialEq Eq PartialOrd Ord Hash);
own!(Send Sync Sized Drop Fn FnMut FnOnce AsyncFn AsyncFnMut AsyncFnOnce Unpin ToOwned ToString From Into TryFrom TryInto);
own!(AsRef AsMut Iterator IntoIterator DoubleEndedIterator ExactSizeIterator Extend FromIterator drop size_of align_of);

macro_rules! stringify { ($($any:tt)*) => { ::core::compile_error!("an own macro") }; }
macro_rules! concat { ($($any:tt)*) => { ::core::compile_error!("an own macro") }; }
macro_rules! module_path { ($($any:tt)*) => { ::core::compile_error!("an own macro") }; }
macro_rules! panic { ($($any:tt)*) => { ::core::compile_error!("an own macro") }; }
macro_rules! matches { ($($any:tt)*) => { ::core::compile_error!("an own macro") }; }
macro_rules! unreachable { ($($any:tt)*) => { ::core::compile_error!("an own macro") }; }

/// Methods that every type has here.
pub trait Methods {
    fn clone(&self) {}
    fn eq(&self, _: &Self) {}
    fn ne(&self, _: &Self) {}
    fn into(&self) {}
    fn next(&self) {}
    fn map(&self) {}
    fn iter(&self) {}
    fn leaf(&self) {}
    fn run(&self) {}
    fn path(&self) {}
    fn read(&self) {}
    fn is_some(&self) {}
    fn describe(&self) {}
    fn alike(&self) {}
    fn take_leaves(&self) {}
    fn with_value(&self) {}
    fn elements(&self) {}
    fn unwrap_or(&self) {}
}

impl<T: ?::core::marker::Sized> Methods for T {}

pub mod derives {
    use super::*;

    #[derive(::treedef::Tree)]
    pub struct Struct<'a, 'trees, K, L, E, M, T, R, const N: ::core::primitive::usize> {
        pub out: K,
        pub depth: &'a [&'trees L],
        pub visit: [E; N],
        pub trees: ::core::option::Option<M>,
        pub map: (T, R),
        #[tree(meta)]
        pub values: ::core::primitive::u8,
        #[tree(meta)]
        pub texts: [::core::primitive::u8; 2],
        #[tree(skip)]
        pub rebuild: ::core::primitive::bool,
        #[tree(leaf)]
        pub children: ::core::primitive::f32,
    }

    #[derive(::treedef::Tree)]
    pub struct Own<'a__, K__, L__, E__, M__, J__, O__, P__, R__, const N__: ::core::primitive::usize> {
        pub d__: K__,
        pub f0__: [L__; N__],
        pub o0__: E__,
        pub trees__: M__,
        pub visit__: J__,
        pub depth__: O__,
        pub out__: P__,
        pub map__: &'a__ R__,
        #[tree(meta)]
        pub other__: ::core::primitive::u8,
    }

    #[derive(::treedef::Tree)]
    #[tree(name = "own", meta(version = 2u8))]
    pub enum Enum<T> {
        Some(T),
        None,
        Ok { value: T, #[tree(meta)] out: Window },
        Err(#[tree(skip)] ::core::primitive::u8),
    }

    #[derive(::treedef::Tree)]
    pub struct Recursive {
        pub next: ::core::option::Option<&'static Recursive>,
        pub leaf: ::core::primitive::f32,
    }

    #[derive(::treedef::Tree)]
    pub struct Unit;

    #[derive(::treedef::Tree)]
    pub enum Never {}

    #[derive(::treedef::Meta)]
    pub enum Window {
        Some,
        Gauss { take__: ::core::primitive::i32, values__: ::core::primitive::u8 },
        Tuple(::core::primitive::i32),
    }

    #[derive(::treedef::Meta)]
    pub struct Data<T, R> {
        pub take: T,
        pub own__: R,
        pub name__: ::core::primitive::u8,
    }

    #[derive(::treedef::Tree)]
    pub struct Names<'a__, K__, L__> {
        pub a__: &'a__ K__,
        pub K__: L__,
    }

    #[derive(::treedef::Tree)]
    pub enum Fields<K__> {
        K__(K__),
        Named { K__: K__ },
    }

    #[derive(::treedef::Meta)]
    pub struct OwnData<R__> {
        pub take__: R__,
        pub R__: ::core::primitive::u8,
    }

    #[derive(::treedef::Leaf)]
    pub struct Tensor<'trees, 'prefix, WalkLanes, OtherTree, K, T: ::core::marker::Copy> {
        pub visit: WalkLanes,
        pub trees: &'trees OtherTree,
        pub depth: &'prefix K,
        pub pairing: T,
    }

    #[derive(::treedef::Leaf)]
    #[tree(name = "own leaf")]
    pub struct OwnTensor<'trees__, 'def__, WalkLanes__, WalkError__, PrefixLanes__, Rebuilding__, OtherTree__> {
        pub visit: WalkLanes__,
        pub trees: &'trees__ OtherTree__,
        pub depth: &'def__ WalkError__,
        pub more: (PrefixLanes__, Rebuilding__),
    }
}

pub mod macros {
    use super::*;

    pub struct Level(::core::primitive::f32);
    pub struct Cell<K>(K);
    pub struct View<'trees, WalkLanes>(&'trees WalkLanes);

    ::treedef::leaf!(Level);
    ::treedef::leaf!(impl [K,] Cell<K>);
    ::treedef::leaf!(impl ['trees, WalkLanes,] View<'trees, WalkLanes> where [WalkLanes: ::core::marker::Copy]);

    ::treedef::leaf_types! {
        /// A set.
        pub struct Set {
            #[derive(::core::marker::Copy)]
            owned Value,
            read ValueRef,
            write ValueMut,
            Some(::core::primitive::f32),
            None(::core::primitive::u32),
            leaf(::core::primitive::bool),
        }
    }

    pub struct List<OtherTree, LeafSet>(::std::vec::Vec<OtherTree>, ::core::marker::PhantomData<LeafSet>);

    ::treedef::container! {
        impl [LeafSet] list List<OtherTree, LeafSet>,
        iter: |entries| <[_]>::iter(&entries.0),
        iter_mut: |entries| <[_]>::iter_mut(&mut entries.0),
        into_iter: |entries| ::core::iter::IntoIterator::into_iter(entries.0),
        from_iter: |trees| List(::core::iter::Iterator::collect(trees), ::core::marker::PhantomData),
    }

    pub struct Dict<Visitor, NewLeaf>(::std::collections::BTreeMap<Visitor, NewLeaf>);

    ::treedef::container! {
        impl [Visitor: ::treedef::format::MapKey] dict Dict<Visitor, NewLeaf>,
        iter: |out| ::std::collections::BTreeMap::iter(&out.0),
        iter_mut: |out| ::std::collections::BTreeMap::iter_mut(&mut out.0),
        into_iter: |out| ::core::iter::IntoIterator::into_iter(out.0),
        from_iter: |made| Dict(::core::iter::Iterator::collect(made)),
    }

    pub struct Numbered<OtherLeaves>(::std::collections::BTreeMap<::core::primitive::u32, OtherLeaves>);

    ::treedef::container! {
        dict Numbered<OtherLeaves>, key: ::core::primitive::u32, room: 8,
        iter: |list| ::std::collections::BTreeMap::iter(&list.0),
        iter_mut: |list| ::std::collections::BTreeMap::iter_mut(&mut list.0),
        into_iter: |list| ::core::iter::IntoIterator::into_iter(list.0),
        from_iter: |children| Numbered(::core::iter::Iterator::collect(children)),
    }

    #[derive(::treedef::Tree)]
    pub struct Full {
        pub prefix: [::core::primitive::f32; 2],
        pub trees: ::core::primitive::f32,
        pub visit: ::core::primitive::f32,
        pub pairing: ::core::primitive::f32,
        pub other: ::core::primitive::f32,
    }

    #[derive(::treedef::Tree)]
    pub struct Rates {
        pub prefix: ::core::primitive::f32,
        pub trees: ::core::primitive::f32,
        pub visit: ::core::primitive::f32,
        pub pairing: ::core::primitive::f32,
        pub other: ::core::primitive::f32,
    }

    ::treedef::prefix!(Rates { prefix, trees, visit, pairing, other }: ::core::primitive::f32, of Full: ::core::primitive::f32);

    pub const DEF: ::treedef::TreeDef<'static> = ::treedef::treedef!([*, {"b": (*, *), "a": None}, ()]);
    pub const ROOM: ::core::primitive::usize = ::treedef::leaf_index!(DEF, "[1].b[0]");
    pub const ALIASES: &'static [(&'static ::core::primitive::str, &'static ::core::primitive::str)] =
        ::treedef::algebra::aliases!(Rates, [("old", "prefix"), ("trees.other", "other")]);
    pub const TREE: ::treedef::Node<'static, ::core::primitive::i32> = ::treedef::tree!([1, {"b": (2, 3), "a": KEYS}, (LEN,)]);
    const KEYS: ::core::primitive::i32 = 4;
    const LEN: ::core::primitive::i32 = 5;

    pub trait Leaf: 'static {}
    pub trait Visitor {}

    ::treedef::leaf_trait! {
        pub struct Leaves: dyn Leaf
    }

    pub fn visit(tree: &mut (::core::primitive::f32, ::core::primitive::u8)) {
        let visit = ::treedef::visitor!([] <T: Visitor> |mut x| { let _ = x; });
        let _ = ::treedef::over(tree).types::<(::core::primitive::f32,)>().visit(visit);
    }

    impl Visitor for ::core::primitive::f32 {}
}
