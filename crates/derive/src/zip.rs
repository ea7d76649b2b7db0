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
    let (krate, input) = (context.krate, context.input);
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
    header.bound(quote!(K__: #krate::Leaf));
    header.bound(quote!(J__: #krate::Leaf));
    for ty in context.trees() {
        let other = substitution.apply(ty);
        header.bound_type(&other, &quote!(#krate::tree::TreeRead<J__>));
        header.bound_type(ty, &quote!(#krate::tree::ZipPrefix<K__, J__, #other>));
    }
    context.leaf_bound(&mut header, &context.only_leaf(&quote!(K__)));
    for Field { ty, .. } in context.fields(Role::Leaf) {
        let other = substitution.apply(ty);
        let bound = context.only_leaf(&quote!(J__));
        header.bound(at(ty, quote!(#other: #bound)));
    }
    context.role_bound(&mut header, Role::Meta, &quote!(#krate::format::ToValue));
    header.repeat_bounds(&input.generics, &mut substitution);

    let other = substitution.own.clone();
    let ident = &input.ident;
    let zip = input.matching_first(&quote!(#ident), &other, |variant| {
        children(context, &other, variant, |ty| substitution.apply(ty))
    });
    let body = quote! {
        #[inline]
        fn zip_lanes<
            'a__,
            P__: #krate::tree::lanes::Lanes,
            L__: #krate::tree::lanes::Lanes,
            E__: ::core::convert::From<#krate::Error>,
        >(
            prefix__: #krate::tree::lanes::Trees<'a__, P__, Self>,
            trees__: #krate::tree::lanes::Trees<'a__, L__, #other>,
            pairing__: &mut #krate::tree::lanes::Pairing,
            visit__: &mut impl ::core::ops::FnMut(
                #krate::tree::lanes::Trees<'a__, P__, K__>,
                #krate::tree::lanes::Trees<'a__, L__, J__>,
            ) -> ::core::result::Result<(), E__>,
        ) -> ::core::result::Result<(), E__>
        where
            K__: 'a__,
            J__: 'a__,
            #other: 'a__,
            Self: 'a__,
        {
            #zip
        }
    };
    context.implement(header, &quote!(#krate::tree::ZipPrefix<K__, J__, #other>), &body)
}

/// Makes code that walks the fields of a variant that all trees have.
fn children(
    context: &Context<'_>,
    other: &Type,
    variant: &Variant,
    mut substitute: impl FnMut(&Type) -> Type,
) -> TokenStream {
    let krate = context.krate;
    let depth = quote!(#krate::tree::lanes::Pairing::depth(pairing__));
    let theirs = split_trees(context, other, &depth, variant, |field| &field.other);
    let metas = variant.metas().map(|Field { ty, local, other, .. }| {
        let ours = quote!(P__::first::<#ty>(&#local));
        let agrees = same_meta(krate, ty, &ours, &quote!(L__::first::<#ty>(&#other)));
        let check = quote!(#krate::tree::lanes::Pairing::check::<L__>(pairing__, #agrees));
        let check = value_from(&check);
        quote!(#check;)
    });
    let differs = quote!({
        let _ = tree__;
        #krate::__private::derive_support::partner_differs::<L__, _, _>(pairing__)
    });
    let trees = (&quote!(P__), &parse_quote!(Self), &quote!(prefix__));
    let ours = split(context, trees, variant, |field| &field.local, &differs);
    let children = variant.children().map(|Field { ty, role, local, other, .. }| {
        let theirs = substitute(ty);
        match role {
            Role::Leaf => {
                let leaf = quote!(#krate::tree::lanes::Pairing::pair::<K__, J__, #ty, #theirs, P__, L__, E__>);
                attempt(&quote!(#leaf(pairing__, #local, #other, visit__)))
            }
            _ => {
                let zip = quote!(<#ty as #krate::tree::ZipPrefix<K__, J__, #theirs>>::zip_lanes::<P__, L__, E__>);
                attempt(&quote!(#zip(#local, #other, pairing__, visit__)))
            }
        }
    });
    let children = deeper(krate, &depth, attempt, &quote!(#(#children)*));
    quote! {
        #theirs
        #ours
        #(#metas)*
        #krate::tree::lanes::Pairing::pass::<L__>(pairing__);
        #children
        ::core::result::Result::Ok(())
    }
}
