//! Implements `TreeBuild`: takes a value apart, and rebuilds it.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::attributes::{Role, named};
use crate::bounds::Context;
use crate::code::{copied_meta, some};
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
    let (take, build, from_leaves) = (take(context), build(context), from_leaves(context));
    let (is_template, build_like) = (is_template(context), build_like(context));
    let body = quote! {
        #[inline]
        fn take_leaves(self, visit__: &mut impl d__::FnMut(K__::Owned)) {
            #take
        }

        fn build<S__: d__::Source<K__>>(
            rebuild__: &mut d__::Rebuild<'_, K__, S__>,
            list__: &mut d__::Siblings,
        ) -> d__::Option<Self> {
            #build
        }

        #[inline]
        fn is_template(&self) -> d__::bool {
            #is_template
        }

        #[inline]
        fn build_like<S__: d__::Source<K__>>(
            template__: &Self,
            leaves__: &mut S__,
        ) -> d__::Option<Self> {
            #build_like
        }

        #[inline]
        fn from_leaves<S__: d__::Source<K__>>(
            leaves__: &mut S__,
        ) -> d__::Option<Self> {
            #from_leaves
        }
    };
    context.implement(header, &quote!(d__::TreeBuild<K__>), &body)
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

/// Makes code that reads the children of one variant, after `begin`, which makes the variable `children__`.
fn build_children(variant: &Variant, begin: &TokenStream) -> TokenStream {
    let children = variant.children().map(|Field { ty, role, local, .. }| {
        let child = some(&match role {
            Role::Leaf => quote!(d__::Rebuild::leaf::<#ty>(rebuild__, &mut children__)),
            _ => {
                quote!(<#ty as d__::TreeBuild<K__>>::build(rebuild__, &mut children__))
            }
        });
        quote!(let #local = #child;)
    });
    let whole = variant.construct(&quote!(Self), rebuilt);
    quote! {
        #begin
        #(#children)*
        if !d__::end(rebuild__, &children__) {
            return d__::None;
        }
        return d__::Some(#whole);
    }
}

/// Makes code that reads one variant and returns it, if it is the next child. The heads of variants without meta fields
/// are compared with constants. For other variants of an enum, `name__` is the name of the next child.
fn build_variant(context: &Context<'_>, variant: &Variant) -> TokenStream {
    let (name, fields) = (&variant.name, variant.child_names());
    if let (Some(head), false) = (const_head(context, variant), context.input.is_enum) {
        let begin = quote!(d__::begin_expected(rebuild__, list__, &#head));
        let begin = quote! {
            if !#begin {
                return d__::None;
            }
            let mut children__ = d__::children(&#head);
        };
        return build_children(variant, &begin);
    }
    if let Some(head) = const_head(context, variant) {
        let begin = quote!(d__::begin_const(rebuild__, list__, &next__, &#head));
        let children = quote!(let mut children__ = d__::children(&#head););
        let children = build_children(variant, &children);
        return quote!(if #begin { #children });
    }
    let begin = if let Some(meta) = constants(context, variant) {
        let heading = heading(variant, &meta);
        let begin = some(&quote!(d__::begin_spec(rebuild__, list__, &#heading)));
        quote!(let mut children__ = #begin;)
    } else {
        let expected = context.input.container.metas.iter().map(|(name, expr)| {
            let name = named(name, None).0;
            match context.constant(expr) {
                Some(value) => quote!(statics__.expect_value(#name, #value)?;),
                None => quote!(statics__.expect(#name, &(#expr))?;),
            }
        });
        let read = variant.metas().map(|Field { ty, name, local, .. }| {
            let from_value = quote_spanned!(ty.span()=> <#ty as d__::FromValue>::from_value);
            quote!(let #local = statics__.read(#name, |value__| #from_value(value__))?;)
        });
        let locals: Vec<_> = variant.metas().map(|field| &field.local).collect();
        quote! {
            let (mut statics__, mut children__) =
                d__::begin_struct(rebuild__, list__, #name, &[#(#fields),*])?;
            let meta__ = (|| {
                #(#expected)*
                #(#read)*
                d__::Some((#(#locals,)*))
            })();
            let (#(#locals,)*) = statics__.end(rebuild__, meta__)?;
        }
    };
    let build = build_children(variant, &begin);
    match context.input.is_enum {
        true => quote!(if name__ == d__::Some(#name) { #build }),
        false => build,
    }
}

/// Whether all fields of a value are templates, and its meta fields read back what they write.
fn is_template(context: &Context<'_>) -> TokenStream {
    if context.input.variants.is_empty() {
        return quote!(match *self {});
    }
    context.input.matching(&quote!(self), |variant| {
        let fields = variant.fields.iter().filter_map(|Field { ty, role, local, .. }| match role {
            Role::Tree => Some(quote!(&& <#ty as d__::TreeBuild<K__>>::is_template(#local))),
            Role::Meta => {
                let copy = copied_meta(ty, &quote!(#local));
                Some(quote!(&& d__::Option::is_some(&#copy)))
            }
            _ => None,
        });
        quote!(true #(#fields)*)
    })
}

/// Builds every field like that of the template.
fn build_like(context: &Context<'_>) -> TokenStream {
    if context.input.variants.is_empty() {
        return quote!(match *template__ {});
    }
    let fixed = (!context.input.is_enum).then(|| {
        quote! {
            if const { d__::Option::is_some(&<Self as d__::Structure>::TREEDEF) } {
                return d__::fixed_like::<K__, S__, Self>(leaves__);
            }
        }
    });
    let like = context.input.matching(&quote!(template__), |variant| {
        let fields = variant.fields.iter().filter(|field| field.role != Role::Skip);
        let fields = fields.map(|Field { ty, role, local, .. }| {
            let field = match role {
                Role::Leaf => next_leaf(ty),
                Role::Meta => copied_meta(ty, &quote!(#local)),
                _ => {
                    quote!(<#ty as d__::TreeBuild<K__>>::build_like(#local, leaves__))
                }
            };
            let field = some(&field);
            quote!(let #local = #field;)
        });
        let whole = variant.construct(&quote!(Self), rebuilt);
        quote!(#(#fields)* d__::Some(#whole))
    });
    quote!(#fixed #like)
}

/// Makes an expression that takes a leaf from the source.
fn next_leaf(ty: &syn::Type) -> TokenStream {
    quote!(d__::leaf_from::<K__, S__, #ty>(leaves__))
}

fn build(context: &Context<'_>) -> TokenStream {
    let input = context.input;
    let variants = input.variants.iter().map(|variant| build_variant(context, variant));
    let is_const = |variant: &Variant| const_head(context, variant).is_some();
    let name = (input.is_enum && !input.variants.iter().all(is_const)).then(|| {
        quote! {
            let name__ = match d__::Rebuild::peek(rebuild__, list__) {
                d__::Some(head__) => head__.type_name(),
                d__::None => d__::None,
            };
        }
    });
    let fixed = (!input.is_enum).then(|| {
        quote! {
            if const { d__::is_fixed::<K__, Self, S__>() } {
                return d__::build_fixed::<K__, Self, S__>(rebuild__, list__);
            }
        }
    });
    // Code after a variant that always returns would be unreachable.
    let mismatch = input.is_enum.then(|| {
        quote! {
            d__::no_variant(rebuild__);
            d__::None
        }
    });
    let next = (input.is_enum && input.variants.iter().any(is_const))
        .then(|| quote!(let next__ = d__::next_child(rebuild__, list__);));
    quote!(#name #fixed #next #(#variants)* #mismatch)
}

fn from_leaves(context: &Context<'_>) -> TokenStream {
    let input = context.input;
    let fixed = match input.variants.as_slice() {
        [variant] if !input.is_enum && constants(context, variant).is_some() => variant,
        // Never called: the structure is not fixed.
        _ => return quote!(d__::None),
    };
    let children = fixed.children().map(|Field { ty, role, local, .. }| {
        let child = match role {
            Role::Leaf => next_leaf(ty),
            _ => quote!(<#ty as d__::TreeBuild<K__>>::from_leaves(leaves__)),
        };
        let child = some(&child);
        quote!(let #local = #child;)
    });
    let whole = fixed.construct(&quote!(Self), rebuilt);
    quote!(#(#children)* d__::Some(#whole))
}
