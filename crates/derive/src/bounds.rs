//! Makes the headers of implementations: generics and where clauses.

use std::collections::HashSet;
use std::mem;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{
    Expr, GenericParam, Generics, PredicateType, Type, TypeParamBound, WherePredicate, parse_quote,
};

use crate::attributes::Role;
use crate::code::at;
use crate::input::{Field, Input};
use crate::types::{Substitution, arguments, as_param, find, is_phantom, projected, written};
use crate::{literal, params};

/// The input, and the data from which its bounds are made.
pub(crate) struct Context<'i> {
    pub(crate) input: &'i Input,
    /// The types that get bounds: those of the fields that are trees, or those of `bound = ".."`.
    trees: Vec<Type>,
    /// Whether a field that gets no bound contains a `&T`: the tree can be neither written nor rebuilt.
    pub(crate) lends: bool,
    /// Whether a field that gets no bound contains a `&mut T`: the tree cannot be rebuilt.
    pub(crate) lends_mut: bool,
    /// Whether a field is or contains a reference: its leaf type cannot change.
    pub(crate) holds_reference: bool,
}

/// The header of one implementation.
pub(crate) struct Header {
    /// Those of the user, and parameters besides.
    generics: Generics,
    /// Bounds besides, which are not parsed.
    bounds: Vec<TokenStream>,
}

impl<'i> Context<'i> {
    pub(crate) fn new(input: &'i Input) -> Self {
        let given = input.container.bound.as_ref();
        let (mut trees, mut lends, mut lends_mut) = (Vec::new(), false, false);
        let mut holds_reference = false;
        let mut texts = HashSet::new();
        let mut bind = |texts: &mut HashSet<String>, ty: Type| {
            if texts.insert(written(&ty)) {
                trees.push(ty);
            }
        };
        given.into_iter().flatten().for_each(|ty| bind(&mut texts, ty.clone()));
        for field in input.fields().filter(|field| field.role == Role::Tree) {
            let found = find(&field.ty, &input.ident, &input.generics);
            // A bound on a type that contains the derived type would require itself. Bounds on its parameters are
            // enough.
            match (given, found.names_own) {
                (None, false) => bind(&mut texts, field.ty.clone()),
                (None, true) => {
                    found.params.iter().for_each(|param| bind(&mut texts, parse_quote!(#param)));
                }
                (Some(_), _) => {}
            }
            holds_reference |= found.reference || found.mutable;
            if !texts.contains(&written(&field.ty)) {
                lends |= found.reference;
                lends_mut |= found.mutable;
            }
        }
        Self { input, trees, lends, lends_mut, holds_reference }
    }

    /// Iterates over the types that get bounds as trees.
    pub(crate) fn trees(&self) -> impl Iterator<Item = &Type> {
        self.trees.iter()
    }

    /// Returns the `Value` of an expression that is a literal or a const parameter.
    pub(crate) fn constant(&self, expr: &Expr) -> Option<TokenStream> {
        literal::value(expr).or_else(|| params::value(&self.input.generics, expr))
    }

    /// Iterates over the fields with a role.
    pub(crate) fn fields(&self, role: Role) -> impl Iterator<Item = &Field> {
        self.input.fields().filter(move |field| field.role == role)
    }

    /// Whether a type gets a bound as a tree.
    pub(crate) fn is_tree(&self, ty: &Type) -> bool {
        self.trees.iter().any(|tree| written(tree) == written(ty))
    }

    /// Whether a type names the derived type.
    pub(crate) fn is_recursive(&self, ty: &Type) -> bool {
        find(ty, &self.input.ident, &self.input.generics).names_own
    }

    /// Whether a type depends on a type parameter. Other types get no bound: the compiler checks them where they are
    /// used, with a better span.
    pub(crate) fn is_generic(&self, ty: &Type) -> bool {
        let any = Ident::new("__none__", proc_macro2::Span::call_site());
        !find(ty, &any, &self.input.generics).params.is_empty()
    }

    /// Makes a header with the user's generics and bounds.
    pub(crate) fn header(&self) -> Header {
        Header { generics: self.input.generics.clone(), bounds: Vec::new() }
    }

    /// Whether a tree gets no bound, as one that contains the derived type. What it needs is then found in the bounds of the others.
    pub(crate) fn has_unbound(&self) -> bool {
        self.fields(Role::Tree).any(|field| !self.is_tree(&field.ty))
    }

    /// The bound of `K__`, the leaf type of trees of one: that the fields have it says which it is. The compiler takes a tenth less for
    /// a program without the bounds that a leaf type has, so it is none where only fields with bounds need it.
    pub(crate) fn one_leaf_type(&self) -> TokenStream {
        match self.has_unbound() || self.fields(Role::Leaf).next().is_some() {
            true => quote!(K__: d__::Leaf),
            false => quote!(K__: d__::LeafTypes),
        }
    }

    /// Makes a header with a parameter `K__` for any leaf types, and with bounds on the fields: the trees among them
    /// implement `tree`, and the leaves can be seen as items of `K__`.
    pub(crate) fn leaf_types_header(&self, tree: &TokenStream) -> Header {
        let mut header = self.header();
        header.param(parse_quote!(K__));
        header.bound(quote!(K__: d__::LeafTypes));
        self.trees().for_each(|ty| header.bound_type(ty, tree));
        self.leaf_bound(&mut header, &quote!(d__::LeafAs<K__>));
        header
    }

    /// The bound of a leaf field in a tree whose only leaf type is `leaf`.
    pub(crate) fn only_leaf(&self, leaf: &TokenStream) -> TokenStream {
        quote!(d__::LeafAs<#leaf> + d__::Same<#leaf>)
    }

    /// Adds a bound on the types of the leaf fields.
    pub(crate) fn leaf_bound(&self, header: &mut Header, leaf: &TokenStream) {
        for Field { ty, .. } in self.fields(Role::Leaf) {
            header.bound_type(ty, leaf);
        }
    }

    /// Adds bounds on the generic types of the fields with a role.
    pub(crate) fn role_bound(&self, header: &mut Header, role: Role, bound: &TokenStream) {
        for Field { ty, .. } in self.fields(role).filter(|field| self.is_generic(&field.ty)) {
            header.bound_type(ty, bound);
        }
    }

    /// Makes `impl<..> Trait for Type where .. { body }`.
    pub(crate) fn implement(
        &self,
        header: Header,
        implemented: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let ident = &self.input.ident;
        let args = arguments(&self.input.generics);
        let (params, _, _) = header.generics.split_for_impl();
        let own = header.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let bounds = header.bounds;
        quote! {
            #[automatically_derived]
            impl #params #implemented for #ident #args where #(#own,)* #(#bounds),* {
                #body
            }
        }
    }

    /// Returns the type parameters that a map replaces: those in trees, and those that are leaves themselves.
    ///
    /// A parameter is not replaced if it is used in a meta field, or through an associated type.
    pub(crate) fn mapped(&self) -> (Vec<Ident>, Vec<Ident>) {
        let generics = &self.input.generics;
        let mut stay = projected(self.input.fields().map(|field| &field.ty), generics);
        let params = |role| {
            let fields = self.fields(role).filter(|field| !is_phantom(&field.ty));
            fields.flat_map(|field| find(&field.ty, &self.input.ident, generics).params)
        };
        stay.extend(params(Role::Meta));
        let all = generics.type_params().map(|param| param.ident.clone());
        let all: Vec<_> = all.filter(|param| !stay.contains(param)).collect();
        let trees: Vec<_> = params(Role::Tree).collect();
        let leaves: Vec<_> =
            self.fields(Role::Leaf).filter_map(|field| as_param(&field.ty).cloned()).collect();
        let (trees, rest): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|param| trees.contains(param));
        (trees, rest.into_iter().filter(|param| leaves.contains(param)).collect())
    }

    /// Makes the replacement of type parameters. `Self` is replaced too.
    pub(crate) fn substitution(&self, params: Vec<(Ident, Type)>) -> Substitution {
        let ident = &self.input.ident;
        let args = arguments(&self.input.generics);
        let unchanged: Type = parse_quote!(Self);
        let mut substitution = Substitution { params, own: unchanged };
        substitution.own = substitution.apply(&parse_quote!(#ident #args));
        substitution
    }
}

/// Returns the name of the parameter on the other side of a zip.
pub(crate) fn other_param(param: &Ident) -> Ident {
    format_ident!("{param}O__")
}

impl Header {
    /// Adds a type parameter.
    pub(crate) fn param(&mut self, param: Ident) {
        self.generics.params.push(GenericParam::Type(param.into()));
    }

    /// Adds a bound.
    pub(crate) fn bound(&mut self, predicate: TokenStream) {
        self.bounds.push(predicate);
    }

    /// Adds a bound on the type of a field. The compiler shows errors of the bound at that type.
    pub(crate) fn bound_type(&mut self, ty: &Type, bound: &TokenStream) {
        let bound = at(ty, bound.clone());
        self.bound(quote!(#ty: #bound));
    }

    /// Repeats the user's bounds for the types that replace parameters.
    pub(crate) fn repeat_bounds(&mut self, user: &Generics, substitution: &mut Substitution) {
        let inline = user.type_params().filter(|param| !param.bounds.is_empty()).map(|param| {
            let (ident, bounds) = (&param.ident, &param.bounds);
            parse_quote!(#ident: #bounds)
        });
        let clause = user.where_clause.iter().flat_map(|clause| clause.predicates.iter().cloned());
        let predicates: Vec<WherePredicate> = inline.chain(clause).collect();
        for mut predicate in predicates {
            // `?Sized` is allowed only where a parameter is declared.
            if let WherePredicate::Type(PredicateType { bounds, .. }) = &mut predicate {
                let is_repeated = |bound: &TypeParamBound| match bound {
                    TypeParamBound::Trait(bound) => bound.maybe.is_none(),
                    _ => true,
                };
                *bounds = mem::take(bounds).into_iter().filter(is_repeated).collect();
            }
            if substitution.changes(&predicate) {
                substitution.visit_where_predicate_mut(&mut predicate);
                self.generics.make_where_clause().predicates.push(predicate);
            }
        }
    }
}
