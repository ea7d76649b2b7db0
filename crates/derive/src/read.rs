//! Implements `TreeRead` and `TreeWrite`: reads leaves and changes them in place.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse_quote;
use syn::spanned::Spanned;

use crate::attributes::Role;
use crate::bounds::Context;
use crate::code::{attempt, deeper};
use crate::input::Field;
use crate::split::split_trees;

pub(crate) fn read(context: &Context<'_>) -> TokenStream {
    let tree_walk = quote!(d__::TreeWalk<K__>);
    let header = context.leaf_types_header(&tree_walk);
    let walk = context.implement(header, &tree_walk, &walk_lanes(context));

    let tree_read = quote!(d__::TreeRead<K__>);
    let mut header = context.header();
    header.param(parse_quote!(K__));
    header.bound(quote!(K__: d__::Leaf));
    context.trees().for_each(|ty| header.bound_type(ty, &tree_read));
    context.leaf_bound(&mut header, &context.only_leaf(&quote!(K__)));
    let read = context.implement(header, &tree_read, &TokenStream::new());
    quote!(#walk #read)
}

/// Makes code that walks over the leaves of several values, in the lanes `L__`.
fn walk_lanes(context: &Context<'_>) -> TokenStream {
    let walk = context.input.matching_first(&quote!(Self), &parse_quote!(Self), |variant| {
        let (own, depth) = (parse_quote!(Self), quote!(depth__));
        let split = split_trees(context, &own, &depth, variant, |field| &field.local);
        let children = variant.children().map(|Field { ty, role, local, name, .. }| {
            let child = match role {
                Role::Leaf => {
                    let visit = attempt(&quote!(visit__.leaf(L__::leaf::<K__, #ty>(#local))));
                    quote!(L__::count_nodes(depth__, 1); #visit)
                }
                _ => {
                    let walk = quote_spanned!(ty.span()=> <#ty as d__::TreeWalk<K__>>::walk_lanes);
                    attempt(&quote!(#walk::<L__, E__>(#local, depth__, visit__)))
                }
            };
            quote!(d__::WalkPath::field(visit__.path(), level__, #name); #child)
        });
        let children = deeper(&depth, attempt, &quote!(#(#children)*));
        quote! {
            #split
            L__::count_nodes(depth__, 1);
            let level__ = d__::WalkPath::level(visit__.path());
            #children
            d__::Ok(())
        }
    });
    quote! {
        #[inline]
        fn walk_lanes<'a__, L__: d__::Lanes, E__: d__::From<d__::Error>>(
            trees__: d__::Trees<'a__, L__, Self>,
            depth__: &mut d__::Depth,
            visit__: &mut impl d__::VisitLanes<'a__, K__, L__, E__>,
        ) -> d__::Result<(), E__>
        where
            K__: 'a__,
        {
            #walk
        }
    }
}

pub(crate) fn write(context: &Context<'_>) -> TokenStream {
    if context.lends {
        return TokenStream::new();
    }
    let tree_write = quote!(d__::TreeWrite<K__>);
    let header = context.leaf_types_header(&tree_write);
    context.implement(header, &tree_write, &TokenStream::new())
}
