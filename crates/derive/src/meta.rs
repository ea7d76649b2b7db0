//! Implements `#[derive(Meta)]`: `ToValue` and `FromValue` for enums and structs.

use std::iter;

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, Path, Result, parse_quote};

use crate::attributes::{distinct, meta_crate, named, no_attributes, variant_names};
use crate::refused;
use crate::types::arguments;

pub(crate) fn derive(input: DeriveInput) -> Result<TokenStream> {
    refused::packed(&input, "copy it into a struct that is not packed")?;
    let krate = meta_crate(&input.attrs)?;
    let (mut written, mut read_back) = (input.generics.clone(), input.generics);
    let code = |reader| match &input.data {
        Data::Enum(data) => of_enum(&krate, data, reader),
        Data::Struct(data) => of_struct(&krate, &data.fields, reader),
        Data::Union(data) => {
            let message =
                "a union cannot be data of a structure: which field is alive is not known";
            Err(Error::new(data.union_token.span, message))
        }
    };
    let (write, read) = code(Reader::Value)?;
    let (_, read_stored) = code(Reader::Stored)?;
    if written.type_params().next().is_some() {
        for ty in fields(&input.data).map(|field| &field.ty) {
            let to_value = parse_quote!(#ty: #krate::format::ToValue + ::core::marker::Sync);
            written.make_where_clause().predicates.push(to_value);
            let from_value = parse_quote!(#ty: #krate::format::FromValue);
            read_back.make_where_clause().predicates.push(from_value);
        }
    }
    // Without names and types that can have older ones, the function of the trait is right.
    let from_stored = (read.to_string() != read_stored.to_string()).then(|| {
        quote! {
            fn from_stored(value__: #krate::Value<'_>) -> ::core::option::Option<Self> {
                #read_stored
            }
        }
    });
    let ident = &input.ident;
    let name = ident.to_string();
    let (args, (params, _, bounds)) = (arguments(&written), written.split_for_impl());
    let (_, _, read_bounds) = read_back.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables, unused_mut, unused_qualifications, deprecated, clippy::all)]
        impl #params #krate::format::ToValue for #ident #args #bounds {
            const TYPE: &'static ::core::primitive::str = #name;

            fn with_value<R__>(
                &self,
                take__: impl ::core::ops::FnOnce(#krate::Value<'_>) -> R__,
            ) -> R__ {
                #write
            }
        }

        #[automatically_derived]
        #[allow(unused_variables, unused_mut, unused_qualifications, deprecated, clippy::all)]
        impl #params #krate::format::FromValue for #ident #args #read_bounds {
            fn from_value(value__: #krate::Value<'_>) -> ::core::option::Option<Self> {
                #read
            }

            #from_stored
        }
    })
}

/// The fields of a struct, or of all variants of an enum.
fn fields(data: &Data) -> impl Iterator<Item = &Field> {
    let (own, variants) = match data {
        Data::Struct(data) => (Some(&data.fields), None),
        Data::Enum(data) => (None, Some(&data.variants)),
        Data::Union(_) => (None, None),
    };
    let variants = variants.into_iter().flatten().map(|variant| &variant.fields);
    own.into_iter().chain(variants).flatten()
}

/// The function that reads a value.
#[derive(Clone, Copy)]
enum Reader {
    /// `from_value`.
    Value,
    /// `from_stored`, which knows older names, too.
    Stored,
}

/// The value of a variant is its name, or the tuple of its name and its fields.
fn of_enum(krate: &Path, data: &DataEnum, reader: Reader) -> Result<(TokenStream, TokenStream)> {
    let (mut names, mut all_older, mut distinct_names) = (Vec::new(), Vec::new(), Vec::new());
    for variant in &data.variants {
        variant.fields.iter().try_for_each(|field| no_attributes(&field.attrs))?;
        let (name, older) = variant_names(&variant.attrs)?;
        names.push(named(&variant.ident, name.as_ref()));
        distinct_names.push(named(&variant.ident, name.as_ref()));
        distinct_names.extend(older.iter().map(|alias| (alias.value(), alias.span())));
        all_older.push(if let Reader::Stored = reader { older } else { Vec::new() });
    }
    distinct(&distinct_names)?;
    if data.variants.is_empty() {
        return Ok((quote!(match *self {}), quote!(::core::option::Option::None)));
    }
    let (mut writes, mut texts, mut tuples) = (Vec::new(), Vec::new(), Vec::new());
    for ((variant, (name, _)), older) in data.variants.iter().zip(names).zip(all_older) {
        let (ident, value) = (&variant.ident, quote!(#krate::Value::Str(#name #(| #older)*)));
        if variant.fields.is_empty() {
            writes.push(quote!(Self::#ident { .. } => take__(#krate::Value::Str(#name))));
            texts.push(quote!(#value => ::core::option::Option::Some(Self::#ident {})));
            continue;
        }
        let members: Vec<_> = variant.fields.members().collect();
        let locals: Vec<_> = (0..members.len()).map(|at| format_ident!("field_{at}__")).collect();
        let parts = iter::once(quote!(#name)).chain(locals.iter().map(|local| quote!(#local)));
        let written = fields_value(krate, parts);
        writes.push(quote!(Self::#ident { #(#members: #locals),* } => take__(#written)));
        let read = read_fields(krate, &quote!(Self::#ident), &variant.fields, reader);
        tuples.push(quote! {
            if (&mut ::core::clone::Clone::clone(&*values__)).next(|name__| ::core::matches!(name__, #value)) == ::core::option::Option::Some(true) {
                values__.next(|_| ());
                return #read;
            }
        });
    }
    let tuples = (!tuples.is_empty()).then(|| {
        quote! {
            #krate::Value::Tuple(tuple__) => {
                let values__ = &mut tuple__.elements();
                #(#tuples)*
                ::core::option::Option::None
            }
        }
    });
    let write = quote!(match self { #(#writes,)* });
    let read = quote! {
        match value__ {
            #(#texts,)*
            #tuples
            _ => ::core::option::Option::None,
        }
    };
    Ok((write, read))
}

/// The value of a struct is the tuple of its fields.
fn of_struct(krate: &Path, fields: &Fields, reader: Reader) -> Result<(TokenStream, TokenStream)> {
    fields.iter().try_for_each(|field| no_attributes(&field.attrs))?;
    let members: Vec<_> = fields.members().collect();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let borrowed = members.iter().zip(&types);
    let value =
        fields_value(krate, borrowed.map(|(member, ty)| quote_spanned!(ty.span()=> &self.#member)));
    let write = quote!(take__(#value));
    let read = read_fields(krate, &quote!(Self), fields, reader);
    let read = quote! {
        let #krate::Value::Tuple(tuple__) = value__ else {
            return ::core::option::Option::None;
        };
        let values__ = &mut tuple__.elements();
        #read
    };
    Ok((write, read))
}

/// The value of these fields, which are borrowed: a tuple.
fn fields_value(krate: &Path, fields: impl Iterator<Item = TokenStream>) -> TokenStream {
    let passed: Vec<_> = fields
        .enumerate()
        .map(|(index, field)| {
            let to_value = quote_spanned!(field.span()=> #krate::format::ToValue::with_value);
            quote!(#index => #to_value(#field, pass__))
        })
        .collect();
    let count = passed.len();
    quote! {
        #krate::__private::fields_value(#count, &|index__, pass__| match index__ {
            #(#passed,)*
            _ => {}
        })
    }
}

/// Makes the value of `path` from the remaining elements in `values__`, of which none may be left over.
fn read_fields(krate: &Path, path: &TokenStream, fields: &Fields, reader: Reader) -> TokenStream {
    let function = match reader {
        Reader::Value => quote!(from_value),
        Reader::Stored => quote!(from_stored),
    };
    let members = fields.members();
    let reads = fields.iter().map(|Field { ty, .. }| {
        let read = quote_spanned!(ty.span()=> <#ty as #krate::format::FromValue>::#function);
        quote!(values__.next(#read)??)
    });
    quote! {{
        let own__ = #path { #(#members: #reads),* };
        match values__.next(|_| ()) {
            ::core::option::Option::None => ::core::option::Option::Some(own__),
            ::core::option::Option::Some(()) => ::core::option::Option::None,
        }
    }}
}
