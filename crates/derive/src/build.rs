//! Implements `TreeBuild`: takes a value apart, and rebuilds it.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::attributes::{Role, named};
use crate::bounds::Context;
use crate::code::some;
use crate::input::{Field, Variant};
use crate::structure::{const_head, constants, heading};

pub(crate) fn derive(context: &Context<'_>) -> TokenStream {
    if context.lends || context.lends_mut {
        return TokenStream::new();
    }
    let mut header = context.leaf_types_header(&quote!(d__::TreeBuild<K__>));
    context.role_bound(&mut header, Role::Meta, &quote!(d__::ToValue + d__::FromValue));
    for Field { ty, .. } in context.fields(Role::Skip) {
        header.bound_type(ty, &quote!(d__::Skipped<K__>));
    }
    let (builds_from_leaves, take, build) =
        (builds_from_leaves(context), take(context), build(context));
    let body = quote! {
        #builds_from_leaves

        #[inline]
        fn take_leaves(self, visit__: &mut impl d__::FnMut(K__::Owned)) {
            #take
        }

        #[inline]
        fn build<'d__, R__: d__::Rebuild<'d__, K__>>(
            rebuild__: &mut R__,
            list__: &mut d__::Siblings,
        ) -> d__::Option<Self> {
            #build
        }
    };
    context.implement(header, &quote!(d__::TreeBuild<K__>), &body)
}

/// Makes the constant that says whether a tree is built from its leaves alone.
fn builds_from_leaves(context: &Context<'_>) -> Option<TokenStream> {
    let [variant] = context.input.variants.as_slice() else { return None };
    if context.input.is_enum || constants(context, variant).is_none() {
        return None;
    }
    let children = variant.children().filter(|field| field.role != Role::Leaf);
    let children =
        children.map(|Field { ty, .. }| quote!(<#ty as d__::TreeBuild<K__>>::BUILDS_FROM_LEAVES));
    Some(quote! {
        const BUILDS_FROM_LEAVES: d__::bool =
            d__::Option::is_some(&<Self as d__::HasSchema>::TREEDEF) #(&& #children)*;
    })
}

fn take(context: &Context<'_>) -> TokenStream {
    if context.input.variants.is_empty() {
        return quote!(match self {});
    }
    context.input.matching(&quote!(self), |variant| {
        let children = variant.children().map(|Field { ty, role, local, .. }| match role {
            Role::Leaf => quote!(visit__(<#ty as d__::LeafAs<K__>>::owned(#local));),
            _ => quote!(<#ty as d__::TreeBuild<K__>>::take_leaves(#local, visit__);),
        });
        quote!(#(#children)*)
    })
}

/// Returns the expression for a field of a rebuilt value. Children and meta fields are in variables.
fn rebuilt(field: &Field) -> TokenStream {
    let (ty, local) = (&field.ty, &field.local);
    match field.role {
        Role::Skip => quote!(<#ty as d__::Skipped<K__>>::skipped()),
        _ => quote!(#local),
    }
}

/// Makes code that reads the children of one variant, after `begin`, which makes the variable `children__`, and returns it.
fn build_children(variant: &Variant, begin: &TokenStream) -> TokenStream {
    let children = variant.children().map(|Field { ty, role, default, local, .. }| {
        let child = match role {
            Role::Leaf => quote!(d__::Rebuild::leaf::<#ty>(rebuild__, &mut children__)),
            _ => quote!(d__::Rebuild::child::<#ty>(rebuild__, &mut children__)),
        };
        let Some(default) = default else {
            let child = some(&child);
            return quote!(let #local = #child;);
        };
        quote! {
            let default__ = || -> #ty { #default };
            let #local: #ty = if d__::BuildSteps::take_missing(rebuild__, &mut children__) {
                default__()
            } else {
                match #child {
                    d__::Some(child__) => child__,
                    d__::None if d__::BuildSteps::take_refused(rebuild__) => default__(),
                    d__::None => return d__::None,
                }
            };
        }
    });
    let whole = variant.construct(&quote!(Self), rebuilt);
    let end = some(&quote!(d__::Rebuild::end(rebuild__, children__)));
    quote! {
        #begin
        #(#children)*
        #end;
        return d__::Some(#whole);
    }
}

/// Makes code that reads one variant whose head is no constant, and returns it. In an enum `name__` is the name of the next
/// child, and the code does nothing if that is another one.
fn build_variant(context: &Context<'_>, variant: &Variant) -> TokenStream {
    let (name, fields) = (&variant.name, variant.child_names());
    let begin = if let Some(meta) = constants(context, variant) {
        let heading = heading(variant, &meta);
        let begin = some(&quote!(d__::Rebuild::begin_with(rebuild__, list__, &#heading)));
        quote!(let mut children__ = #begin;)
    } else {
        let expected = context.input.container.metas.iter().map(|(name, expr)| {
            let name = named(name, None).0;
            match context.constant(expr) {
                Some(value) => quote!((&mut statics__).expect_value(#name, #value)?;),
                None => quote!((&mut statics__).expect(#name, &(#expr))?;),
            }
        });
        let read = variant.metas().map(|Field { ty, name, local, .. }| {
            let from_value = quote_spanned!(ty.span()=> <#ty as d__::FromValue>::from_value);
            quote!(let #local = (&mut statics__).read(#name, |value__| #from_value(value__))?;)
        });
        let locals: Vec<_> = variant.metas().map(|field| &field.local).collect();
        quote! {
            let (mut statics__, mut children__) =
                d__::BuildSteps::begin_struct(rebuild__, list__, #name, &[#(#fields),*])?;
            let meta__ = (|| {
                #(#expected)*
                #(#read)*
                d__::Some((#(#locals,)*))
            })();
            let (#(#locals,)*) = d__::BuildSteps::end_meta(rebuild__, statics__, meta__)?;
        }
    };
    let build = build_children(variant, &begin);
    match context.input.is_enum {
        true => quote!(if name__ == d__::Some(#name) { #build }),
        false => build,
    }
}

/// Makes code that reads a variant of an enum whose head is a constant, if the next child is one of them, and returns it.
/// `others` are the names of the other variants.
fn build_constant_variants(context: &Context<'_>, others: &TokenStream) -> TokenStream {
    let variants = context.input.variants.iter();
    let (heads, builds): (Vec<_>, Vec<_>) = variants
        .filter_map(|variant| const_head(context, variant).map(|head| (head, variant)))
        .enumerate()
        .map(|(index, (head, variant))| {
            let index = Literal::u32_suffixed(u32::try_from(index).unwrap_or(u32::MAX));
            let begin = quote!(let mut children__ = d__::children(&#head););
            let build = build_children(variant, &begin);
            (head, quote!(d__::Some(#index) => { #build }))
        })
        .unzip();
    if heads.is_empty() {
        return TokenStream::new();
    }
    quote! {
        match d__::BuildSteps::begin_any(rebuild__, list__, &[#(#heads),*], #others) {
            #(#builds)*
            _ => {}
        }
    }
}

fn build(context: &Context<'_>) -> TokenStream {
    let input = context.input;
    if let ([variant], false) = (input.variants.as_slice(), input.is_enum) {
        return match const_head(context, variant) {
            Some(head) => {
                let begin = some(&quote!(d__::BuildSteps::begin_const(rebuild__, list__, &#head)));
                build_children(variant, &quote!(let mut children__ = #begin;))
            }
            None => build_variant(context, variant),
        };
    }
    let others: Vec<_> =
        input.variants.iter().filter(|variant| const_head(context, variant).is_none()).collect();
    let names = others.iter().map(|variant| &variant.name);
    let names = quote!(&[#(#names),*]);
    let name = (!others.is_empty())
        .then(|| quote!(let name__ = d__::BuildSteps::variant(rebuild__, list__, #names);));
    let constant = build_constant_variants(context, &names);
    let others = others.into_iter().map(|variant| build_variant(context, variant));
    quote! {
        #constant
        #name
        #(#others)*
        d__::Rebuild::fail(rebuild__, d__::Rebuild::mismatch(rebuild__))
    }
}
