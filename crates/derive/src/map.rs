//! `MapTree`: the leaves replaced by values of another type.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Type, parse_quote};

use crate::attributes::Role;
use crate::bounds::{Context, Header};
use crate::code::{at, deeper, value};
use crate::input::Field;
use crate::types::{Substitution, as_param, find, is_phantom};

pub(crate) fn derive(context: &Context<'_>) -> TokenStream {
    if context.holds_reference {
        return TokenStream::new();
    }
    let krate = context.krate;
    let (trees, leaves) = context.mapped();
    let of_tree = trees
        .iter()
        .map(|param| (param.clone(), parse_quote!(<#param as #krate::MapTree<K__, M__>>::Output)));
    let of_leaf = leaves.iter().map(|param| (param.clone(), parse_quote!(M__)));
    let mut substitution = context.substitution(of_tree.chain(of_leaf).collect());

    let mut header = context.header();
    header.param(parse_quote!(K__));
    header.param(parse_quote!(M__));
    header.bound(quote!(K__: #krate::Family));
    trees.iter().for_each(|param| header.bound(quote!(#param: #krate::MapTree<K__, M__>)));
    context.accepts(&mut header);
    bounds(context, &mut header, &mut substitution);
    header.repeat_bounds(&context.input.generics, &mut substitution);

    let owned = values(context, &mut substitution, true);
    let by_ref = values(context, &mut substitution, false);
    let output = &substitution.own;
    let body = quote! {
        type Output = #output;

        #[inline]
        fn map_owned(
            self,
            depth__: &mut #krate::Depth,
            map__: &mut impl ::core::ops::FnMut(K__::Owned) -> M__,
        ) -> ::core::result::Result<Self::Output, #krate::Error> {
            #owned
        }

        #[inline]
        fn map_ref<'a__>(
            &'a__ self,
            depth__: &mut #krate::Depth,
            map__: &mut impl ::core::ops::FnMut(K__::Ref<'a__>) -> M__,
        ) -> ::core::result::Result<Self::Output, #krate::Error>
        where
            K__: 'a__,
        {
            #by_ref
        }
    };
    context.implement(header, &quote!(#krate::MapTree<K__, M__>), &body)
}

/// What the fields have to become, so that the whole becomes the output.
fn bounds(context: &Context<'_>, header: &mut Header, substitution: &mut Substitution) {
    let krate = context.krate;
    for ty in context.trees().filter(|ty| !is_phantom(ty)) {
        let new = substitution.apply(ty);
        // A parameter that is replaced by its own output says so in its definition.
        if as_param(ty).is_none() || new == *ty {
            header.bound_type(ty, &quote!(#krate::MapTree<K__, M__, Output = #new>));
        }
    }
    // What a type with a lifetime asks of a parameter holds for the parameter, not yet for what replaces it.
    for field in context.input.fields() {
        let found = find(&field.ty, &context.input.ident, &context.input.generics);
        for (param, new) in &substitution.params {
            for lifetime in found.lifetimes.iter().filter(|_| found.params.contains(param)) {
                header.bound(quote!(#new: #lifetime));
            }
        }
    }
    let family: Type = parse_quote!(M__);
    for Field { ty, .. } in context.fields(Role::Leaf) {
        let new = substitution.apply(ty);
        if new != family {
            header.bound(at(ty, quote!(M__: #krate::derive_support::Same<#new>)));
        }
    }
    for Field { ty, .. } in context.fields(Role::Skip).filter(|field| context.is_generic(&field.ty))
    {
        let new = substitution.apply(ty);
        header.bound_type(&new, &quote!(::core::default::Default));
    }
    context.role_bound(header, Role::Meta, &quote!(#krate::ToValue + #krate::FromValue));
}

/// Maps every field and puts the output together.
fn values(context: &Context<'_>, substitution: &mut Substitution, owned: bool) -> TokenStream {
    let (krate, ident) = (context.krate, &context.input.ident);
    let (method, leaf) = match owned {
        true => (quote!(map_owned), quote!(owned)),
        false => (quote!(map_ref), quote!(by_ref)),
    };
    if owned && context.input.variants.is_empty() {
        return quote!(match self {});
    }
    context.input.matching(&quote!(self), |variant| {
        let mapped = variant.fields.iter().map(|field| {
            let Field { ty, role, local, .. } = field;
            let new = substitution.apply(ty);
            let mapped = match role {
                Role::Tree if is_phantom(ty) => quote!(#krate::derive_support::phantom()),
                Role::Tree => value(
                    &quote!(<#ty as #krate::MapTree<K__, M__>>::#method(#local, depth__, map__)),
                ),
                Role::Leaf => {
                    let leaf = quote!(map__(<K__ as #krate::Accepts<#ty>>::#leaf(#local)));
                    quote!(<M__ as #krate::derive_support::Same<#new>>::same(#leaf))
                }
                Role::Meta => {
                    value(&quote!(#krate::derive_support::copy_static::<#ty>(&#local, depth__)))
                }
                Role::Skip => quote!(<#new as ::core::default::Default>::default()),
            };
            quote!(let #local = #mapped;)
        });
        let mapped = deeper(krate, &quote!(#krate::Error), &quote!(#(#mapped)*));
        let whole = variant.construct(&quote!(#ident), |field| {
            let local = &field.local;
            quote!(#local)
        });
        quote!(#mapped ::core::result::Result::Ok(#whole))
    })
}
