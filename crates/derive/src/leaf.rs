//! Implements `#[derive(Leaf)]`, as the macro `leaf!`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Result};

use crate::attributes::{leaf_attributes, not_empty};
use crate::types::arguments;

pub(crate) fn derive(input: DeriveInput) -> Result<TokenStream> {
    let (krate, name) = leaf_attributes(&input.attrs)?;
    let mut generics = input.generics;
    let bounds = generics.where_clause.take().map(|clause| clause.predicates);
    for param in generics.type_params_mut() {
        param.default = None;
    }
    for param in generics.const_params_mut() {
        param.default = None;
    }
    let (ident, args) = (&input.ident, arguments(&generics));
    // Lifetimes come first in a list of generics, so the parameter for the leaf types can follow all of them.
    let params = &generics.params;
    let comma = (!params.is_empty() && !params.trailing_punct()).then(|| quote!(,));
    let check = name.as_ref().map(not_empty);
    let name = name.map(|name| quote!(as #name));
    Ok(quote!(#check #krate::leaf!(impl [#params #comma] #ident #args where [#bounds] #name);))
}
