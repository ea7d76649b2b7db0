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
use crate::structure::begin;

pub(crate) fn read(context: &Context<'_>) -> TokenStream {
    let tree_walk = quote!(d__::TreeWalk<K__>);
    let header = context.leaf_types_header(&tree_walk);
    let (walk, walk_lanes) = (walk(context), walk_lanes(context));
    let walk = context.implement(header, &tree_walk, &quote!(#walk #walk_lanes));

    let tree_read = quote!(d__::TreeRead<K__>);
    let mut header = context.header();
    header.param(parse_quote!(K__));
    header.bound(context.one_leaf_type());
    context.trees().for_each(|ty| header.bound_type(ty, &tree_read));
    context.leaf_bound(&mut header, &context.only_leaf(&quote!(K__)));
    let read = context.implement(header, &tree_read, &TokenStream::new());
    quote!(#walk #read)
}

/// Makes code that gives a value to a sink.
fn walk(context: &Context<'_>) -> TokenStream {
    let mut index = 0usize..;
    let walk = context.input.matching(&quote!(self), |variant| {
        let index = index.next().filter(|_| context.input.variants.len() > 1);
        let choice = index.map(|index| quote!(d__::Sink::choice(out__, #index);));
        let children = variant.children().map(|Field { ty, role, local, .. }| match role {
            Role::Leaf => {
                quote!(d__::Sink::leaf(out__, <#ty as d__::LeafAs<K__>>::by_ref(#local));)
            }
            _ => {
                let walk = quote_spanned!(ty.span()=> <#ty as d__::TreeWalk<K__>>::walk);
                quote!(#walk(#local, out__);)
            }
        });
        if context.input.transparent().is_some() {
            return quote!(#(#children)*);
        }
        let begin = begin(context, variant);
        quote! {
            #choice
            if let d__::Some(node__) = #begin {
                #(#children)*
                d__::Sink::end(out__, node__);
            }
        }
    });
    // The field of a transparent struct does it. Each condition is a constant alone, so that the compiler makes no code for what it
    // excludes, and it is no body of its own to check.
    let constant = context.input.transparent().is_none().then(|| {
        quote! {
            if S__::NEEDS_LEAVES {
            } else if d__::Later::<Self, S__>::HAS_TREEDEF {
                return d__::Sink::constant::<Self>(out__);
            }
        }
    });
    quote! {
        #[inline]
        fn walk<'a__, S__: d__::Sink<'a__, K__>>(&'a__ self, out__: &mut S__)
        where
            K__: 'a__,
        {
            #constant
            #walk
        }
    }
}

/// Makes code that walks over the leaves of several values, in the lanes `L__`.
fn walk_lanes(context: &Context<'_>) -> TokenStream {
    let walk = context.input.matching_first(&quote!(Self), &parse_quote!(Self), |variant| {
        let (own, depth) = (parse_quote!(Self), quote!(depth__));
        let split = split_trees(context, &own, &depth, variant, |field| &field.local);
        let children = variant.children().map(|Field { ty, role, local, name, .. }| {
            let child = match role {
                Role::Leaf => {
                    let visit =
                        attempt(&quote!(visit__.leaf(d__::leaves::<L__, K__, #ty>(#local))));
                    quote!(L__::count_nodes(depth__, 1); #visit)
                }
                _ => {
                    let walk = quote_spanned!(ty.span()=> <#ty as d__::TreeWalk<K__>>::walk_lanes);
                    attempt(&quote!(#walk::<L__, E__, V__>(#local, depth__, visit__)))
                }
            };
            if context.input.transparent().is_some() {
                return child;
            }
            quote!(d__::VisitLanes::field(visit__, level__, #name); #child)
        });
        if context.input.transparent().is_some() {
            return quote!(#split #(#children)* d__::Ok(()));
        }
        let children = deeper(&depth, attempt, &quote!(#(#children)*));
        quote! {
            #split
            let level__ = d__::VisitLanes::node(visit__, depth__);
            #children
            d__::Ok(())
        }
    });
    quote! {
        #[inline]
        fn walk_lanes<
            'a__,
            L__: d__::Lanes,
            E__: d__::From<d__::Error>,
            V__: d__::VisitLanes<'a__, K__, L__, E__>,
        >(
            trees__: d__::Trees<'a__, L__, Self>,
            depth__: &mut d__::Depth,
            visit__: &mut V__,
        ) -> d__::Result<(), E__>
        where
            K__: 'a__,
        {
            if V__::NEEDS_LEAVES {
            } else if d__::Later::<Self, V__>::HAS_TREEDEF {
                return d__::Ok(());
            }
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
