//! Implements the derives of the `treedef` crate. Use them through its feature `derive`, which also documents them.
#![forbid(unsafe_code)]
#![expect(
    missing_docs,
    reason = "documented where `treedef` exports them, next to examples that run"
)]

mod attributes;

mod types;

mod input;

mod code;

mod bounds;

mod literal;

mod structure;

mod read;

mod build;

mod map;

mod zip;

mod split;

mod leaf;

mod meta;
mod params;
mod refused;
mod rename;
mod transparent;

use proc_macro::TokenStream;
use syn::{DeriveInput, Error, Result};

use crate::bounds::Context;
use crate::input::Input;

fn tree(input: DeriveInput) -> Result<proc_macro2::TokenStream> {
    refused::packed(
        &input,
        "declare the struct a leaf by `#[derive(treedef::Leaf)]`, or copy it into one that is not packed",
    )?;
    let mut input = Input::parse(input)?;
    params::declare(&mut input)?;
    transparent::check(&input)?;
    let context = Context::new(&input);
    let parts: [fn(&Context<'_>) -> proc_macro2::TokenStream; 8] = [
        structure::const_heads,
        structure::derive,
        split::functions,
        read::read,
        read::write,
        build::derive,
        map::derive,
        zip::derive,
    ];
    let parts: proc_macro2::TokenStream = parts.iter().map(|part| part(&context)).collect();
    // A separate block for the names of functions, in which `d__` has all that the code names.
    let krate = &input.container.krate;
    let check = input.container.name.as_ref().map(attributes::not_empty);
    Ok(quote::quote! {
        #check
        #[allow(unused_variables, unused_mut, unused_qualifications, unreachable_patterns, unreachable_code)]
        #[allow(deprecated, clippy::all)]
        const _: () = {
            use #krate::__private as d__;
            #parts
        };
    })
}

#[proc_macro_derive(Tree, attributes(tree))]
#[doc(alias(
    "register_pytree_node",
    "register_dataclass",
    "register_pytree_with_keys",
    "dataclass"
))]
pub fn derive_tree(input: TokenStream) -> TokenStream {
    let input = match params::parse(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error().into(),
    };
    let derived = tree(input.clone()).unwrap_or_else(|error| {
        let said = refused::without_size(&input.data).1;
        let error = (!said).then(|| error.into_compile_error());
        let refused = refused::tree(&input);
        quote::quote!(#error #refused)
    });
    derived.into()
}

#[proc_macro_derive(Leaf, attributes(tree))]
pub fn derive_leaf(input: TokenStream) -> TokenStream {
    params::parse(input).and_then(leaf::derive).unwrap_or_else(Error::into_compile_error).into()
}

#[proc_macro_derive(Meta, attributes(tree))]
#[doc(alias("register_static", "tree_static"))]
pub fn derive_meta(input: TokenStream) -> TokenStream {
    params::parse(input).and_then(meta::derive).unwrap_or_else(Error::into_compile_error).into()
}
