//! Inspects types as they are written, and replaces type parameters in them.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    ConstParam, ExprPath, GenericArgument, GenericParam, Generics, Lifetime, LifetimeParam, Path,
    PathArguments, Type, TypeParam, TypePath, TypeReference, parse_quote,
};

/// Whether a path is the type itself: `Self`, or its name.
fn is_own(path: &Path, own: &Ident) -> bool {
    let is_short = path.leading_colon.is_none()
        && (path.segments.len() == 1
            || path.segments.len() == 2
                && path.segments.first().is_some_and(|first| first.ident == "self"));
    path.is_ident("Self")
        || is_short && path.segments.last().is_some_and(|segment| segment.ident == *own)
}

/// Inspects a type, except for the generic arguments of the derived type.
struct Finder<'f> {
    own: &'f Ident,
    found: Found,
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        if is_own(path, self.own) {
            self.found.names_own = true;
            return;
        }
        if let Some(first) = path.segments.first() {
            self.found.params.push(first.ident.clone());
        }
        visit::visit_path(self, path);
    }

    /// The length of an array is no type, although it can have the name of one.
    fn visit_expr_path(&mut self, _: &'ast ExprPath) {}

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        self.found.lifetimes.push(lifetime.clone());
    }

    fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
        match reference.mutability {
            Some(_) => self.found.mutable = true,
            None => self.found.reference = true,
        }
        visit::visit_type_reference(self, reference);
    }
}

/// What a type contains.
#[derive(Default)]
pub(crate) struct Found {
    /// Whether it names the derived type.
    pub(crate) names_own: bool,
    /// The type parameters outside of the generic arguments of the derived type.
    pub(crate) params: Vec<Ident>,
    /// The lifetime parameters.
    pub(crate) lifetimes: Vec<Lifetime>,
    /// Whether it contains a `&T`.
    pub(crate) reference: bool,
    /// Whether it contains a `&mut T`.
    pub(crate) mutable: bool,
}

/// Inspects a type.
pub(crate) fn find(ty: &Type, own: &Ident, generics: &Generics) -> Found {
    let mut finder = Finder { own, found: Found::default() };
    finder.visit_type(ty);
    let mut found = finder.found;
    found.lifetimes.retain(|used| generics.lifetimes().any(|param| param.lifetime == *used));
    // In the order of their declaration.
    let params = generics.type_params().map(|param| &param.ident);
    found.params = params.filter(|param| found.params.contains(param)).cloned().collect();
    found
}

/// Returns a type as it is written. Types are compared by this text, because `syn` needs 0.4 s more of build time to
/// compare them.
pub(crate) fn written(ty: &Type) -> String {
    ty.to_token_stream().to_string()
}

/// Whether two types are written alike.
pub(crate) fn is_same(first: &Type, second: &Type) -> bool {
    written(first) == written(second)
}

/// Whether the name of a type is `PhantomData`.
pub(crate) fn is_phantom(ty: &Type) -> bool {
    match ty {
        Type::Path(TypePath { qself: None, path, .. }) => {
            path.segments.last().is_some_and(|segment| segment.ident == "PhantomData")
        }
        _ => false,
    }
}

/// The parameters as arguments of the type. Without braces, a const parameter would be a type of its name, such as that of the derive.
pub(crate) fn arguments(generics: &Generics) -> TokenStream {
    let arguments = generics.params.iter().map(|param| match param {
        GenericParam::Lifetime(LifetimeParam { lifetime, .. }) => quote!(#lifetime),
        GenericParam::Type(TypeParam { ident, .. }) => quote!(#ident),
        GenericParam::Const(ConstParam { ident, .. }) => quote!({ #ident }),
    });
    if generics.params.is_empty() { TokenStream::new() } else { quote!(<#(#arguments),*>) }
}

/// Returns the type parameter, if the type is just a parameter.
pub(crate) fn as_param(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(TypePath { qself: None, path, .. }) => path.get_ident(),
        // A macro puts a group around a `$ty:ty`.
        Type::Group(group) => as_param(&group.elem),
        _ => None,
    }
}

/// Collects the parameters `T` of `T::Name` and `<T as Trait>::Name`.
struct Projections<'p>(&'p mut Vec<Ident>);

impl<'ast> Visit<'ast> for Projections<'_> {
    fn visit_type_path(&mut self, ty: &'ast TypePath) {
        match &ty.qself {
            Some(qself) => self.0.extend(as_param(&qself.ty).cloned()),
            None if ty.path.segments.len() > 1 => {
                self.0.extend(ty.path.segments.first().map(|first| first.ident.clone()));
            }
            None => {}
        }
        visit::visit_type_path(self, ty);
    }
}

/// Returns the parameters that a type, or its bounds, use through an associated type.
pub(crate) fn projected<'t>(
    types: impl Iterator<Item = &'t Type>,
    generics: &Generics,
) -> Vec<Ident> {
    let mut found = Vec::new();
    let mut projections = Projections(&mut found);
    types.for_each(|ty| projections.visit_type(ty));
    projections.visit_generics(generics);
    found
}

/// Replaces type parameters and `Self` by other types.
pub(crate) struct Substitution {
    pub(crate) params: Vec<(Ident, Type)>,
    pub(crate) own: Type,
}

impl VisitMut for Substitution {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let Some(param) = as_param(ty).cloned() else {
            return visit_mut::visit_type_mut(self, ty);
        };
        if param == "Self" {
            *ty = self.own.clone();
        } else if let Some((_, new)) = self.params.iter().find(|(old, _)| *old == param) {
            *ty = new.clone();
        }
    }
}

impl Substitution {
    /// Returns the type after the replacement.
    pub(crate) fn apply(&mut self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        self.visit_type_mut(&mut ty);
        ty
    }

    /// Whether the replacement changes something.
    pub(crate) fn changes(&self, tokens: &impl ToTokens) -> bool {
        contains(tokens.to_token_stream(), &self.params)
    }
}

fn contains(tokens: TokenStream, params: &[(Ident, Type)]) -> bool {
    params.iter().any(|(param, _)| names(tokens.clone(), param))
}

/// Whether the tokens contain an identifier.
pub(crate) fn names(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => names(group.stream(), name),
        _ => false,
    })
}

/// Containers of any trees: the type of a field that has another one around the derived type can have bounds of its own.
const CONTAINERS: [&str; 7] = ["Option", "Box", "Vec", "Rc", "Arc", "BTreeMap", "HashMap"];

/// The first type that `is_it` accepts, of a type itself and of what it contains in containers and references. Keys of maps are
/// no trees, so they are passed over.
pub(crate) fn part<'t>(ty: &'t Type, is_it: &dyn Fn(&Type) -> bool) -> Option<&'t Type> {
    if is_it(ty) {
        return Some(ty);
    }
    match ty {
        Type::Group(group) => part(&group.elem, is_it),
        Type::Paren(paren) => part(&paren.elem, is_it),
        Type::Reference(reference) => part(&reference.elem, is_it),
        Type::Array(array) => part(&array.elem, is_it),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|ty| part(ty, is_it)),
        Type::Path(TypePath { qself: None, path, .. }) => {
            let last = path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            let arguments = arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            let is_known = CONTAINERS.iter().any(|known| last.ident == known);
            let keys = usize::from(last.ident.to_string().ends_with("Map"));
            is_known.then(|| arguments.skip(keys).find_map(|ty| part(ty, is_it))).flatten()
        }
        _ => None,
    }
}

/// Puts `Again__` in the place of the derived type.
struct Marker<'f> {
    own: &'f Ident,
    /// The parameters of the derived type, as its own path has them.
    parameters: String,
    /// Whether it is in the type that is visited.
    is_inside: bool,
    /// Whether another type than [`CONTAINERS`] is around it.
    is_unknown: bool,
    /// The types around it.
    around: Vec<Type>,
}

impl VisitMut for Marker<'_> {
    fn visit_type_path_mut(&mut self, ty: &mut TypePath) {
        if ty.qself.is_none() && is_own(&ty.path, self.own) {
            let arguments = ty.path.segments.last().map(|last| &last.arguments);
            let arguments = arguments.to_token_stream().to_string();
            // With other arguments it is another type.
            self.is_unknown |= !ty.path.is_ident("Self") && arguments != self.parameters;
            ty.path = parse_quote!(Again__);
            self.is_inside = true;
            return;
        }
        let before = std::mem::take(&mut self.is_inside);
        visit_mut::visit_type_path_mut(self, ty);
        let is_known = |name: &Ident| CONTAINERS.iter().any(|known| name == known);
        let last = ty.path.segments.last();
        self.is_unknown |= self.is_inside && !last.is_some_and(|last| is_known(&last.ident));
        if self.is_inside {
            self.around.push(Type::Path(ty.clone()));
        }
        self.is_inside |= before;
    }
}

/// The type with `Again__` in the place of the derived type, and the types in it that are around that; `None` if another type than
/// those of [`CONTAINERS`] is.
pub(crate) fn with_marker(
    ty: &Type,
    own: &Ident,
    generics: &Generics,
) -> Option<(Type, Vec<Type>)> {
    let parameters = generics.split_for_impl().1.to_token_stream().to_string();
    let around = Vec::new();
    let mut marker = Marker { own, parameters, is_inside: false, is_unknown: false, around };
    let mut ty = ty.clone();
    marker.visit_type_mut(&mut ty);
    (!marker.is_unknown).then_some((ty, marker.around))
}

/// Whether a type is made of parameters of the derived type, numbers and [`CONTAINERS`] alone, so that it holds no other derived
/// type.
pub(crate) fn holds_no_other_type(ty: &Type, generics: &Generics) -> bool {
    struct Others<'g>(&'g Generics, bool);

    impl<'a> Visit<'a> for Others<'_> {
        fn visit_type_path(&mut self, ty: &'a TypePath) {
            let is_param = |name: &Ident| self.0.type_params().any(|param| param.ident == *name);
            let is_known = |name: &Ident| {
                CONTAINERS.iter().chain(NUMBERS).any(|known| name == known) || is_param(name)
            };
            let last = ty.path.segments.last();
            self.1 |= ty.qself.is_some() || !last.is_some_and(|last| is_known(&last.ident));
            visit::visit_type_path(self, ty);
        }
    }

    let mut others = Others(generics, false);
    others.visit_type(ty);
    !others.1
}

/// Types of the language that are leaves.
pub(crate) const NUMBERS: &[&str] = &[
    "f32", "f64", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "bool", "char",
];
