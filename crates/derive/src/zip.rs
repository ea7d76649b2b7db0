//! Implements `ZipPrefix`: walks two trees together.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Type, parse_quote};

use crate::attributes::Role;
use crate::bounds::{Context, other_param};
use crate::code::{at, attempt, deeper, same_meta, value_from};
use crate::input::{Field, Variant};
use crate::split::{split, split_trees};

pub(crate) fn derive(context: &Context<'_>) -> TokenStream {
    let input = context.input;
    let (trees, leaves) = context.mapped();
    let params: Vec<_> = trees.into_iter().chain(leaves).collect();
    let replaced = params.iter().map(|param| {
        let other = other_param(param);
        (param.clone(), parse_quote!(#other))
    });
    let mut substitution = context.substitution(replaced.collect());

    let mut header = context.header();
    header.param(parse_quote!(K__));
    header.param(parse_quote!(J__));
    params.iter().for_each(|param| header.param(other_param(param)));
    header.bound(context.one_leaf_type());
    header.bound(quote!(J__: d__::LeafTypes));
    for ty in context.trees() {
        let other = substitution.apply(ty);
        if context.has_unbound() {
            header.bound_type(&other, &quote!(d__::TreeWalk<J__>));
        }
        header.bound_type(ty, &quote!(d__::ZipPrefix<K__, J__, #other>));
    }
    context.leaf_bound(&mut header, &context.only_leaf(&quote!(K__)));
    for Field { ty, .. } in context.fields(Role::Leaf) {
        let other = substitution.apply(ty);
        header.bound(at(ty, quote!(#other: d__::LeafAs<J__>)));
    }
    context.role_bound(&mut header, Role::Meta, &quote!(d__::ToValue));
    header.repeat_bounds(&input.generics, &mut substitution);

    let other = substitution.own.clone();
    let ident = &input.ident;
    let zip = input.matching_first(&quote!(#ident), &other, |variant| {
        children(context, &other, variant, |ty| substitution.apply(ty))
    });
    let body = quote! {
        #[inline]
        fn zip_lanes<
            'p__,
            'a__,
            P__: d__::Lanes,
            L__: d__::Lanes,
            E__: d__::From<d__::Error>,
        >(
            prefix__: d__::Trees<'p__, P__, Self>,
            trees__: d__::Trees<'a__, L__, #other>,
            pairing__: &mut d__::Pairing,
            visit__: &mut impl d__::FnMut(
                d__::Trees<'p__, P__, K__>,
                d__::Leaves<'a__, L__, J__>,
            ) -> d__::Result<(), E__>,
        ) -> d__::Result<(), E__>
        where
            K__: 'p__,
            J__: 'a__,
            #other: 'a__,
        {
            #zip
        }
    };
    context.implement(header, &quote!(d__::ZipPrefix<K__, J__, #other>), &body)
}

/// Makes code that walks the fields of a variant that all trees have.
fn children(
    context: &Context<'_>,
    other: &Type,
    variant: &Variant,
    mut substitute: impl FnMut(&Type) -> Type,
) -> TokenStream {
    let depth = quote!(d__::Pairing::depth(pairing__));
    let theirs = split_trees(context, other, &depth, variant, |field| &field.other);
    let metas = variant.metas().map(|Field { ty, local, other, .. }| {
        let ours = quote!(P__::first::<#ty>(&#local));
        let agrees = same_meta(ty, &ours, &quote!(L__::first::<#ty>(&#other)));
        let check = quote!(d__::Pairing::check::<L__>(pairing__, #agrees));
        let check = value_from(&check);
        quote!(#check;)
    });
    let differs = quote!({
        let _ = tree__;
        d__::partner_differs::<L__, _, _>(pairing__)
    });
    let trees = (&quote!(P__), &parse_quote!(Self), &quote!(prefix__));
    let ours = split(context, trees, variant, |field| &field.local, &differs);
    let children = variant.children().map(|Field { ty, role, local, other, .. }| {
        let theirs = substitute(ty);
        match role {
            Role::Leaf => {
                let leaves = quote! {
                    d__::leaves::<P__, K__, #ty>(#local),
                    d__::leaves::<L__, J__, #theirs>(#other)
                };
                let visit = attempt(&quote!(visit__(#leaves)));
                quote!(d__::Pairing::count_node::<L__>(pairing__); #visit)
            }
            _ => {
                let zip =
                    quote!(<#ty as d__::ZipPrefix<K__, J__, #theirs>>::zip_lanes::<P__, L__, E__>);
                attempt(&quote!(#zip(#local, #other, pairing__, visit__)))
            }
        }
    });
    if context.input.transparent().is_some() {
        return quote!(#theirs #ours #(#children)* d__::Ok(()));
    }
    let children = deeper(&depth, attempt, &quote!(#(#children)*));
    quote! {
        #theirs
        #ours
        #(#metas)*
        d__::Pairing::count_node::<L__>(pairing__);
        #children
        d__::Ok(())
    }
}
