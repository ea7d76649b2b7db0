//! `Read` and `Write`: the leaves in place.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::attributes::Role;
use crate::bounds::Context;
use crate::code::{attempt, deeper, leaves_of};
use crate::input::Field;

pub(crate) fn read(context: &Context<'_>) -> TokenStream {
    let (krate, input) = (context.krate, context.input);
    let header = context.family_header(&quote!(#krate::Read<K__>));
    let walk = input.matching(&quote!(self), |variant| {
        let children = variant.children().map(|Field { ty, role, local, .. }| match role {
            Role::Leaf => {
                attempt(&quote!(visit__.leaf(<K__ as #krate::Accepts<#ty>>::by_ref(#local))))
            }
            _ => {
                let walk = quote_spanned!(ty.span()=> <#ty as #krate::Read<K__>>::walk);
                attempt(&quote!(#walk(#local, depth__, visit__)))
            }
        });
        deeper(krate, &quote!(V__::Error), &quote!(#(#children)*))
    });
    let fill = if input.is_enum {
        // Never called: the shape is not fixed.
        quote!()
    } else {
        input.matching(&quote!(self), |variant| {
            let children = variant.children().map(|field| {
                let (ty, local, count) = (&field.ty, &field.local, leaves_of(krate, field));
                let fill = match field.role {
                    Role::Leaf => quote! {
                        if let [slot__] = mine__ {
                            *slot__ = V__::slot(<K__ as #krate::Accepts<#ty>>::by_ref(#local));
                        }
                    },
                    _ => quote!(<#ty as #krate::Read<K__>>::fill_slots::<V__>(#local, mine__);),
                };
                quote! {
                    let ::core::option::Option::Some((mine__, slots__)) =
                        slots__.split_at_mut_checked(#count)
                    else {
                        return;
                    };
                    #fill
                }
            });
            quote!(#(#children)*)
        })
    };
    let body = quote! {
        #[inline]
        fn walk<'a__, V__: #krate::Visit<'a__, K__>>(
            &'a__ self,
            depth__: &mut #krate::Depth,
            visit__: &mut V__,
        ) -> ::core::result::Result<(), V__::Error>
        where
            K__: 'a__,
        {
            match #krate::derive_support::fill_fixed::<K__, Self, V__>(self, visit__) {
                ::core::result::Result::Ok(false) => {}
                ::core::result::Result::Ok(true) => return ::core::result::Result::Ok(()),
                ::core::result::Result::Err(error__) => {
                    return ::core::result::Result::Err(error__);
                }
            }
            #walk
            ::core::result::Result::Ok(())
        }

        #[inline]
        fn fill_slots<'a__, V__: #krate::Visit<'a__, K__>>(&'a__ self, slots__: &mut [V__::Slot])
        where
            K__: 'a__,
        {
            #fill
        }
    };
    context.implement(header, &quote!(#krate::Read<K__>), &body)
}

pub(crate) fn write(context: &Context<'_>) -> TokenStream {
    if context.lends {
        return TokenStream::new();
    }
    let (krate, input) = (context.krate, context.input);
    let header = context.family_header(&quote!(#krate::Write<K__>));
    let walk = input.matching(&quote!(self), |variant| {
        let children = variant.children().map(|Field { ty, role, local, .. }| match role {
            Role::Leaf => attempt(&quote!(visit__(<K__ as #krate::Accepts<#ty>>::by_mut(#local)))),
            _ => attempt(&quote!(<#ty as #krate::Write<K__>>::walk_mut(#local, depth__, visit__))),
        });
        deeper(krate, &quote!(E__), &quote!(#(#children)*))
    });
    let body = quote! {
        #[inline]
        fn walk_mut<'a__, E__: ::core::convert::From<#krate::Error>>(
            &'a__ mut self,
            depth__: &mut #krate::Depth,
            visit__: &mut impl ::core::ops::FnMut(K__::Mut<'a__>) -> ::core::result::Result<(), E__>,
        ) -> ::core::result::Result<(), E__>
        where
            K__: 'a__,
        {
            #walk
            ::core::result::Result::Ok(())
        }
    };
    context.implement(header, &quote!(#krate::Write<K__>), &body)
}
