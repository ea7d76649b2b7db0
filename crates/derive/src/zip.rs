//! `ZipPrefix`: two trees walked together.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse_quote;
use syn::spanned::Spanned;

use crate::attributes::Role;
use crate::bounds::{Context, other_param};
use crate::code::{at, attempt, deeper};
use crate::input::{Field, Variant};

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
    header.bound(quote!(K__: #krate::Family));
    header.bound(quote!(J__: #krate::Family));
    for ty in context.trees() {
        let other = substitution.apply(ty);
        header.bound_type(&other, &quote!(#krate::Read<J__>));
        header.bound_type(ty, &quote!(#krate::ZipPrefix<K__, J__, #other>));
    }
    context.accepts(&mut header);
    for Field { ty, .. } in context.fields(Role::Leaf) {
        let other = substitution.apply(ty);
        header.bound(at(ty, quote!(J__: #krate::Accepts<#other>)));
    }
    context.role_bound(&mut header, Role::Meta, &quote!(#krate::ToValue));
    header.repeat_bounds(&input.generics, &mut substitution);

    let other = substitution.own.clone();
    let zip = if input.variants.is_empty() {
        quote!(match *self {})
    } else {
        let arms = input.variants.iter().map(|variant| {
            let (mine, theirs) = (variant.pattern(), variant.other_pattern(&input.ident));
            let children = children(context, variant, |ty| substitution.apply(ty));
            quote!((#mine, #theirs) => { #children })
        });
        let arms = quote!(#(#arms)*);
        let different = input.is_enum.then(
            || quote!(_ => return ::core::result::Result::Err(#krate::Depth::mismatch(depth__)),),
        );
        quote! {
            match (self, other__) { #arms #different }
            ::core::result::Result::Ok(())
        }
    };
    let body = quote! {
        #[inline]
        fn zip_leaves<'a__, 'o__>(
            &'a__ self,
            other__: &'o__ #other,
            depth__: &mut #krate::Depth,
            visit__: &mut impl ::core::ops::FnMut(
                K__::Ref<'a__>,
                J__::Ref<'o__>,
            ) -> ::core::result::Result<(), #krate::Error>,
        ) -> ::core::result::Result<(), #krate::Error>
        where
            K__: 'a__,
            J__: 'o__,
        {
            #zip
        }
    };
    context.implement(header, &quote!(#krate::ZipPrefix<K__, J__, #other>), &body)
}

/// Walks the fields of a variant that both sides have.
fn children(
    context: &Context<'_>,
    variant: &Variant,
    mut substitute: impl FnMut(&syn::Type) -> syn::Type,
) -> TokenStream {
    let krate = context.krate;
    let metas = variant.metas().map(|Field { ty, local, other, .. }| {
        let same = quote_spanned!(ty.span()=> #krate::derive_support::same_static::<#ty>);
        quote! {
            if !#same(#local, #other) {
                return ::core::result::Result::Err(#krate::Depth::mismatch(depth__));
            }
        }
    });
    let children = variant.children().map(|Field { ty, role, local, other, .. }| {
        let theirs = substitute(ty);
        match role {
            Role::Leaf => {
                let visit = attempt(&quote! {
                    visit__(
                        <K__ as #krate::Accepts<#ty>>::by_ref(#local),
                        <J__ as #krate::Accepts<#theirs>>::by_ref(#other),
                    )
                });
                quote!(#krate::Depth::pass(depth__); #visit)
            }
            _ => {
                let zip = quote!(<#ty as #krate::ZipPrefix<K__, J__, #theirs>>::zip_leaves);
                attempt(&quote!(#zip(#local, #other, depth__, visit__)))
            }
        }
    });
    let children = deeper(krate, &quote!(#krate::Error), &quote!(#(#children)*));
    quote! {
        #(#metas)*
        #krate::Depth::pass(depth__);
        #children
    }
}
