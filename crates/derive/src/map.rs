//! Implements `MapTree`: replaces the leaves by values of another type.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse_quote;

use crate::attributes::Role;
use crate::bounds::{Context, Header};
use crate::code::{at, copied_meta, deeper, value};
use crate::input::Field;
use crate::split::split_trees;
use crate::types::{Substitution, as_param, find, is_phantom, is_same};

pub(crate) fn derive(context: &Context<'_>) -> TokenStream {
    if context.holds_reference {
        return TokenStream::new();
    }
    let (trees, leaves) = context.mapped();
    let of_tree = trees
        .iter()
        .map(|param| (param.clone(), parse_quote!(<#param as d__::MapTree<K__, M__>>::Output)));
    let of_leaf = leaves.iter().map(|param| (param.clone(), parse_quote!(M__)));
    let mut substitution = context.substitution(of_tree.chain(of_leaf).collect());

    let mut header = context.header();
    header.param(parse_quote!(K__));
    header.param(parse_quote!(M__));
    header.bound(context.one_leaf_type());
    trees.iter().for_each(|param| header.bound(quote!(#param: d__::MapTree<K__, M__>)));
    context.leaf_bound(&mut header, &context.only_leaf(&quote!(K__)));
    bounds(context, &mut header, &mut substitution);
    header.repeat_bounds(&context.input.generics, &mut substitution);

    let (never_fails, lanes) = (never_fails(context), lanes(context, &mut substitution));
    let output = &substitution.own;
    let body = quote! {
        type Output = #output;

        #never_fails

        #[inline]
        fn map_lanes<'a__, L__: d__::Lanes, E__: d__::From<d__::Error>>(
            trees__: d__::Trees<'a__, L__, Self>,
            depth__: &mut d__::Depth,
            map__: &mut impl d__::VisitLanes<'a__, K__, L__, E__, M__>,
        ) -> d__::Result<Self::Output, E__>
        where
            K__: 'a__,
        {
            #lanes
        }
    };
    context.implement(header, &quote!(d__::MapTree<K__, M__>), &body)
}

/// Adds bounds on what each field becomes, so that together they make the output.
fn bounds(context: &Context<'_>, header: &mut Header, substitution: &mut Substitution) {
    for ty in context.trees().filter(|ty| !is_phantom(ty)) {
        let new = substitution.apply(ty);
        // If a bare parameter becomes its own output, the definition of the output already has the bound.
        if as_param(ty).is_none() || is_same(&new, ty) {
            header.bound_type(ty, &quote!(d__::MapTree<K__, M__, Output = #new>));
        }
    }
    // A type with a lifetime has implied bounds on its parameters. They do not yet hold for the replacements.
    for field in context.input.fields() {
        let found = find(&field.ty, &context.input.ident, &context.input.generics);
        for (param, new) in &substitution.params {
            for lifetime in found.lifetimes.iter().filter(|_| found.params.contains(param)) {
                header.bound(quote!(#new: #lifetime));
            }
        }
    }
    for Field { ty, .. } in context.fields(Role::Leaf) {
        let new = substitution.apply(ty);
        if as_param(&new).is_none_or(|param| param != "M__") {
            header.bound(at(ty, quote!(M__: d__::Same<#new>)));
        }
    }
    for Field { ty, .. } in context.fields(Role::Skip).filter(|field| !is_phantom(&field.ty)) {
        let new = substitution.apply(ty);
        header.bound_type(ty, &quote!(d__::Kept<K__, #new>));
    }
    context.role_bound(header, Role::Meta, &quote!(d__::ToValue + d__::FromValue));
}

/// Makes the constant that says whether a map fails only if that of a leaf does.
fn never_fails(context: &Context<'_>) -> Option<TokenStream> {
    let [variant] = context.input.variants.as_slice() else { return None };
    if variant.fields.iter().any(|field| field.role == Role::Meta) {
        return None;
    }
    let trees = variant.fields.iter().filter(|field| field.role == Role::Tree);
    let trees = trees.filter(|field| !is_phantom(&field.ty)).map(|field| &field.ty);
    Some(quote! {
        const NEVER_FAILS: d__::bool = d__::Later::<Self, K__>::HAS_LEAVES
            #(&& <#trees as d__::MapTree<K__, M__>>::NEVER_FAILS)*;
    })
}

/// Makes code that maps every field of several values and builds the output. A skipped field is
/// cloned.
fn lanes(context: &Context<'_>, substitution: &mut Substitution) -> TokenStream {
    context.input.matching_first(&quote!(Self), &parse_quote!(Self), |variant| {
        let (own, depth) = (parse_quote!(Self), quote!(depth__));
        let split = split_trees(context, &own, &depth, variant, |field| &field.local);
        let fields = variant.fields.iter().map(|field| {
            let Field { ty, role, local, name, .. } = field;
            let new = substitution.apply(ty);
            let mapped = match role {
                Role::Leaf => {
                    let leaf = value(&quote!(map__.leaf(d__::leaves::<L__, K__, #ty>(#local))));
                    quote!({ L__::count_nodes(depth__, 1); <M__ as d__::Same<#new>>::same(#leaf) })
                }
                Role::Meta => {
                    let first = quote!(L__::first::<#ty>(&#local));
                    let copy = copied_meta(ty, &first);
                    value(&quote!(d__::copied_meta(#copy, depth__)))
                }
                Role::Tree if is_phantom(ty) => {
                    quote!({
                        L__::count_nodes(depth__, 1);
                        d__::PhantomData
                    })
                }
                Role::Skip if is_phantom(ty) => quote!(d__::PhantomData),
                Role::Skip => {
                    quote!(<#ty as d__::Kept<K__, #new>>::kept(L__::first::<#ty>(&#local)))
                }
                Role::Tree => value(&quote! {
                    <#ty as d__::MapTree<K__, M__>>::map_lanes::<L__, E__>(#local, depth__, map__)
                }),
            };
            let has_name = field.is_child() && context.input.transparent().is_none();
            let go = has_name.then(|| quote!(d__::VisitLanes::field(map__, level__, #name);));
            quote!(#go let #local = #mapped;)
        });
        let whole = variant.construct(&context.input.ident.to_token_stream(), |field| {
            field.local.to_token_stream()
        });
        if context.input.transparent().is_some() {
            return quote!(#split #(#fields)* d__::Ok(#whole));
        }
        let fields = deeper(&depth, value, &quote!(#(#fields)*));
        quote! {
            #split
            let level__ = d__::VisitLanes::node(map__, depth__);
            #fields
            d__::Ok(#whole)
        }
    })
}
