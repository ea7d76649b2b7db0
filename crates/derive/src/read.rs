//! Implements `TreeRead` and `TreeWrite`: reads leaves and changes them in place.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse_quote;
use syn::spanned::Spanned;

use crate::attributes::Role;
use crate::bounds::Context;
use crate::code::{attempt, deeper};
use crate::input::Field;
use crate::split::{split, split_trees};

pub(crate) fn read(context: &Context<'_>) -> TokenStream {
    let (krate, input) = (context.krate, context.input);
    let header = context
        .family_header(&quote!(#krate::tree::TreeWalk<K__>), &quote!(#krate::tree::LeafAs<K__>));
    let walk = input.matching(&quote!(self), |variant| {
        let children = variant.children().map(|Field { ty, role, local, .. }| match role {
            Role::Leaf => {
                attempt(&quote!(visit__.leaf(<#ty as #krate::tree::LeafAs<K__>>::by_ref(#local))))
            }
            _ => {
                let walk = quote_spanned!(ty.span()=> <#ty as #krate::tree::TreeWalk<K__>>::walk);
                attempt(&quote!(#walk(#local, depth__, visit__)))
            }
        });
        let leave = quote!(#krate::__private::derive_support::leave::<Self>(depth__););
        quote!(#(#children)* #leave)
    });
    let fill = if input.is_enum {
        // Never called: the shape is not fixed.
        quote!()
    } else {
        input.matching(&quote!(self), |variant| {
            let children = variant.children().map(|Field { ty, role, local, .. }| match role {
                Role::Leaf => quote! {
                    #krate::__private::derive_support::fill_leaf::<K__, #ty, V__>(#local, &mut slots__);
                },
                _ => quote! {
                    #krate::__private::derive_support::fill_child::<K__, #ty, V__>(#local, &mut slots__);
                },
            });
            quote!(#(#children)*)
        })
    };
    let lanes = walk_lanes(context);
    let leaf = leaf_lane(context);
    let body = quote! {
        #lanes

        #leaf

        #[inline]
        fn walk<'a__, V__: #krate::tree::Visit<'a__, K__>>(
            &'a__ self,
            depth__: &mut #krate::encode::Depth,
            visit__: &mut V__,
        ) -> ::core::result::Result<(), V__::Error>
        where
            K__: 'a__,
        {
            match #krate::__private::derive_support::begin_walk::<K__, Self, V__>(self, depth__, visit__) {
                ::core::result::Result::Ok(true) => {}
                ::core::result::Result::Ok(false) => return ::core::result::Result::Ok(()),
                ::core::result::Result::Err(error__) => {
                    return ::core::result::Result::Err(error__);
                }
            }
            #walk
            ::core::result::Result::Ok(())
        }

        #[inline]
        fn fill_slots<'a__, V__: #krate::tree::Visit<'a__, K__>>(
            &'a__ self,
            mut slots__: &mut [V__::Slot],
        )
        where
            K__: 'a__,
        {
            #fill
        }
    };
    let walk = context.implement(header, &quote!(#krate::tree::TreeWalk<K__>), &body);
    let read = marker(context, &quote!(#krate::tree::TreeRead<K__>));
    quote!(#walk #read)
}

/// Makes code that walks over the leaves of several values, in the lanes `L__`.
fn walk_lanes(context: &Context<'_>) -> TokenStream {
    let krate = context.krate;
    let walk = context.input.matching_first(&quote!(Self), &parse_quote!(Self), |variant| {
        let (own, depth) = (parse_quote!(Self), quote!(depth__));
        let split = split_trees(krate, &own, &depth, variant, |field| &field.local);
        let children = variant.children().map(|Field { ty, role, local, .. }| match role {
            Role::Leaf => {
                let visit = attempt(&quote!(visit__.leaf(L__::leaf::<K__, #ty>(#local))));
                quote!(L__::pass(depth__, 1); #visit)
            }
            _ => {
                let walk =
                    quote_spanned!(ty.span()=> <#ty as #krate::tree::TreeWalk<K__>>::walk_lanes);
                attempt(&quote!(#walk::<L__, E__>(#local, depth__, visit__)))
            }
        });
        let children = deeper(krate, &depth, &quote!(E__), &quote!(#(#children)*));
        quote! {
            #split
            L__::pass(depth__, 1);
            #children
            ::core::result::Result::Ok(())
        }
    });
    quote! {
        #[inline]
        fn walk_lanes<'a__, L__: #krate::tree::lanes::Lanes, E__: ::core::convert::From<#krate::Error>>(
            trees__: #krate::tree::lanes::Trees<'a__, L__, Self>,
            depth__: &mut #krate::encode::Depth,
            visit__: &mut impl #krate::tree::VisitLanes<'a__, K__, L__, E__>,
        ) -> ::core::result::Result<(), E__>
        where
            K__: 'a__,
            Self: 'a__,
        {
            #walk
        }
    }
}

/// Makes code that finds one leaf in a value.
fn leaf_lane(context: &Context<'_>) -> TokenStream {
    let krate = context.krate;
    let find = context.input.matching_first(&quote!(Self), &parse_quote!(Self), |variant| {
        let (own, depth) = (parse_quote!(Self), quote!(depth__));
        let differs = quote!(#krate::encode::Depth::differs(depth__, tree__));
        let trees = (&quote!(L__), &own, &quote!(trees__));
        let split = split(krate, trees, variant, |field| &field.local, &differs);
        let children = variant.children().map(|Field { ty, role, local, .. }| match role {
            Role::Leaf => quote! {
                match ::core::primitive::usize::checked_sub(*index__, 1) {
                    ::core::option::Option::Some(left__) => *index__ = left__,
                    ::core::option::Option::None => {
                        return ::core::result::Result::Ok(::core::option::Option::Some(
                            L__::leaf::<K__, #ty>(#local),
                        ));
                    }
                }
            },
            _ => {
                let find =
                    quote_spanned!(ty.span()=> #krate::__private::derive_support::leaf_of_child);
                quote! {
                    match #find::<K__, #ty, L__>(#local, index__, depth__) {
                        ::core::result::Result::Ok(::core::option::Option::None) => {}
                        found__ => return found__,
                    }
                }
            }
        });
        let children = deeper(krate, &depth, &quote!(#krate::Error), &quote!(#(#children)*));
        quote! {
            #split
            #children
            ::core::result::Result::Ok(::core::option::Option::None)
        }
    });
    quote! {
        #[inline]
        fn leaf_lane<'a__, L__: #krate::tree::lanes::Lanes>(
            trees__: #krate::tree::lanes::Trees<'a__, L__, Self>,
            index__: &mut ::core::primitive::usize,
            depth__: &mut #krate::encode::Depth,
        ) -> ::core::result::Result<
            ::core::option::Option<#krate::tree::lanes::Leaves<'a__, L__, K__>>,
            #krate::Error,
        >
        where
            K__: 'a__,
            Self: 'a__,
        {
            #find
        }
    }
}

pub(crate) fn write(context: &Context<'_>) -> TokenStream {
    if context.lends {
        return TokenStream::new();
    }
    let krate = context.krate;
    marker(context, &quote!(#krate::tree::TreeWrite<K__>))
}

/// Makes the implementation of a trait without methods.
fn marker(context: &Context<'_>, tree: &TokenStream) -> TokenStream {
    let krate = context.krate;
    let header = context.family_header(tree, &quote!(#krate::tree::LeafOf<K__>));
    context.implement(header, tree, &TokenStream::new())
}
