//! Reads the attributes `#[tree(..)]`. Each place takes some attributes, and others are errors.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, Ident, LitStr, Macro, Path, Result, Token, Type, parse_quote_spanned,
};

use crate::rename::Rule;

/// The attributes of a struct or an enum.
pub(crate) struct Container {
    /// `crate = path`, or `::treedef`.
    pub(crate) krate: Path,
    /// `name = ".."`, or a macro that makes the text, such as `concat!`.
    pub(crate) name: Option<TokenStream>,
    /// `meta(name = expr, ..)`.
    pub(crate) metas: Vec<(Ident, Expr)>,
    /// `skip(A, B)`: the type parameters that do not change the structure.
    pub(crate) skipped: Vec<Ident>,
    /// `bound = ".."`: the types that must be trees.
    pub(crate) bound: Option<Vec<Type>>,
    /// `transparent`, at its place: the type has the node of its only child.
    pub(crate) transparent: Option<Span>,
    /// `rename_all = ".."`: how the names of fields or variants are made.
    pub(crate) rename: Option<Rule>,
    /// `alias = ".."`: older names.
    pub(crate) aliases: Vec<TokenStream>,
}

/// The role of a field in the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A subtree.
    Tree,
    /// `leaf`: one leaf, whatever its type.
    Leaf,
    /// `meta`: a meta field.
    Meta,
    /// `skip`: not a part of the tree.
    Skip,
}

/// The attributes of a field.
pub(crate) struct FieldAttributes {
    pub(crate) role: Role,
    /// `default` or `default = expr`: the value of a field that is not stored, or skipped.
    pub(crate) default: Option<Expr>,
    pub(crate) name: Option<LitStr>,
    /// `alias = ".."`: its older names, or the paths that it had in the node of the type.
    pub(crate) aliases: Vec<LitStr>,
}

/// The attributes of a variant.
pub(crate) struct VariantAttributes {
    pub(crate) name: Option<LitStr>,
    /// `rename_all = ".."`: how the names of the fields are made.
    pub(crate) rename: Option<Rule>,
    /// `alias = ".."`: older names.
    pub(crate) aliases: Vec<LitStr>,
}

/// A place for attributes: its name in errors, and the attributes that it takes.
struct Place {
    what: &'static str,
    takes: &'static str,
}

const CONTAINER: Place = Place {
    what: "a struct or an enum",
    takes: "`name = \"..\"`, `alias = \"..\"`, `rename_all = \"..\"`, `transparent`, `meta(name = expr)`, `skip(A)`, `bound = \"..\"`, \
            `crate = path`",
};
const VARIANT: Place =
    Place { what: "a variant", takes: "`name = \"..\"`, `alias = \"..\"`, `rename_all = \"..\"`" };
const STATIC_VARIANT: Place =
    Place { what: "a variant of a `Meta` type", takes: "`name = \"..\"`, `alias = \"..\"`" };
const FIELD: Place = Place {
    what: "a field",
    takes: "`meta`, `leaf`, `skip`, `default`, `name = \"..\"`, `alias = \"..\"`",
};
const LEAF: Place = Place { what: "a leaf type", takes: "`name = \"..\"`, `crate = path`" };
const STATIC: Place = Place { what: "a `Meta` type", takes: "`crate = path`" };
const STATIC_FIELD: Place =
    Place { what: "a meta field", takes: "nothing: every field is part of the value" };

impl Place {
    fn unknown(&self, meta: &ParseNestedMeta<'_>) -> Error {
        let path = &meta.path;
        let name = quote!(#path).to_string();
        meta.error(format!("unknown attribute `{name}`: {} takes {}", self.what, self.takes))
    }
}

/// Calls `each` for every entry of every `#[tree(..)]`.
fn entries(
    attributes: &[Attribute],
    mut each: impl FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    let ours = attributes.iter().filter(|attribute| attribute.path().is_ident("tree"));
    ours.into_iter().try_for_each(|attribute| attribute.parse_nested_meta(&mut each))
}

/// Stores a value that may be given only once.
fn once<T>(slot: &mut Option<T>, meta: &ParseNestedMeta<'_>, value: T) -> Result<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => {
            let path = &meta.path;
            Err(meta.error(format!("`{}` is given twice", quote!(#path))))
        }
    }
}

fn text(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    let value = meta.value()?;
    value.parse().map_err(|error| match value.fork().parse::<Macro>() {
        Ok(call) => Error::new_spanned(
            call,
            "expected a text in quotes: the derive has to know it, and sees no result of a macro",
        ),
        Err(_) => error,
    })
}

/// Reads `rename_all = ".."`, if this entry is one.
fn rename_all(slot: &mut Option<Rule>, meta: &ParseNestedMeta<'_>) -> Result<bool> {
    if !meta.path.is_ident("rename_all") {
        return Ok(false);
    }
    let rule = text(meta)?;
    let message = || Error::new(rule.span(), format!("`rename_all` is one of {}", Rule::all()));
    let rule = Rule::named(&rule.value()).ok_or_else(message)?;
    once(slot, meta, rule).map(|()| true)
}

/// The name of a type: a text, or a macro that makes one.
fn type_name(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    match meta.value()?.fork().parse::<Macro>() {
        Ok(_) => meta.input.parse::<Macro>().map(ToTokens::into_token_stream),
        Err(_) => meta.input.parse().map(|name: LitStr| name.into_token_stream()),
    }
}

/// The code that refuses an empty name of a type, which a macro can make.
pub(crate) fn not_empty(name: &TokenStream) -> TokenStream {
    quote_spanned! {name.span()=>
        #[allow(clippy::all)]
        const _: () = if #name.is_empty() {
            ::core::panic!("the name of a type is not empty")
        };
    }
}

/// Whether a path cannot name a child so.
fn is_no_step(name: &str) -> bool {
    name.is_empty() || name.contains(['.', '[', ']'])
}

/// The value of a meta field that a type adds.
///
/// `syn` reads `if`, `match` and closures only with its feature `full`. What it cannot read are the tokens to the next
/// comma. Such an expression needs braces if it has a comma outside of them, as `if size::<A, B>() > 4 { 1 } else { 0 }`.
fn meta_value(input: ParseStream<'_>) -> Result<Expr> {
    let ahead = input.fork();
    if let Ok(expr) = ahead.parse()
        && (ahead.is_empty() || ahead.peek(Token![,]))
    {
        input.advance_to(&ahead);
        return Ok(expr);
    }
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    if tokens.is_empty() {
        Err(input.error("expected an expression"))
    } else {
        Ok(Expr::Verbatim(tokens))
    }
}

/// The path of this crate, if this entry names it.
fn krate(slot: &mut Option<Path>, meta: &ParseNestedMeta<'_>) -> Result<bool> {
    if !meta.path.is_ident("crate") {
        return Ok(false);
    }
    let path = meta.value()?.call(Path::parse_mod_style)?;
    once(slot, meta, path).map(|()| true)
}

fn or_treedef(path: Option<Path>) -> Path {
    path.unwrap_or_else(|| syn::parse_quote!(::treedef))
}

/// The types of `bound = "A, B"`.
fn types(list: &LitStr) -> Result<Vec<Type>> {
    let types =
        list.parse_with(Punctuated::<Type, Token![,]>::parse_terminated).map_err(|error| {
            let help = "`bound` lists the types that must be trees, such as \"T, Box<Other>\"";
            Error::new(list.span(), format!("{error}; {help}"))
        })?;
    Ok(types.into_iter().collect())
}

impl Container {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let (mut path, mut name, mut bound) = (None, None, None);
        let (mut transparent, mut rename) = (None, None);
        let (mut metas, mut skipped, mut aliases) = (Vec::new(), Vec::new(), Vec::new());
        entries(attributes, |meta| {
            if krate(&mut path, &meta)? || rename_all(&mut rename, &meta)? {
                return Ok(());
            }
            if meta.path.is_ident("transparent") {
                return once(&mut transparent, &meta, meta.path.span());
            }
            if meta.path.is_ident("name") {
                return once(&mut name, &meta, type_name(&meta)?);
            }
            if meta.path.is_ident("alias") {
                let alias = type_name(&meta)?;
                // What a macro makes is not known here.
                syn::parse2(alias.clone()).map_or(Ok(()), |text| older_name(&text))?;
                aliases.push(alias);
                return Ok(());
            }
            if meta.path.is_ident("bound") {
                return once(&mut bound, &meta, types(&text(&meta)?)?);
            }
            if meta.path.is_ident("meta") {
                return meta.parse_nested_meta(|entry| {
                    let name = entry.path.require_ident()?.clone();
                    metas.push((name, meta_value(entry.value()?)?));
                    Ok(())
                });
            }
            if meta.path.is_ident("skip") {
                return meta.parse_nested_meta(|entry| {
                    skipped.push(entry.path.require_ident()?.clone());
                    Ok(())
                });
            }
            Err(CONTAINER.unknown(&meta))
        })?;
        let names = name.iter().chain(&aliases).map(|name| (name.to_string(), name.span()));
        distinct(&names.collect::<Vec<_>>())?;
        let krate = or_treedef(path);
        Ok(Self { krate, name, metas, skipped, bound, transparent, rename, aliases })
    }
}

impl FieldAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let (mut role, mut default, mut name, mut aliases) = (None, None, None, Vec::new());
        entries(attributes, |meta| {
            if alias(&mut aliases, &meta)? {
                return Ok(());
            }
            let new = if meta.path.is_ident("meta") {
                Role::Meta
            } else if meta.path.is_ident("leaf") {
                Role::Leaf
            } else if meta.path.is_ident("skip") {
                Role::Skip
            } else if meta.path.is_ident("default") {
                let value = match meta.input.peek(Token![=]) {
                    true => Some(meta_value(meta.value()?)?),
                    false => None,
                };
                return once(&mut default, &meta, (meta.path.span(), value));
            } else if meta.path.is_ident("name") {
                return once(&mut name, &meta, text(&meta)?);
            } else {
                return Err(FIELD.unknown(&meta));
            };
            match role.replace(new) {
                Some(old) if old != new => {
                    Err(meta.error("a field takes only one of `meta`, `leaf`, `skip`"))
                }
                Some(_) => Err(meta.error("this attribute is given twice")),
                None => Ok(()),
            }
        })?;
        let role = role.unwrap_or(Role::Tree);
        match (name.as_ref().or(aliases.first()), &default, role) {
            (Some(name), _, Role::Skip) => {
                Err(Error::new(name.span(), "a skipped field has no name in the treedef"))
            }
            (_, Some((span, _)), Role::Meta) => {
                let help = "`default` is for a field that is a tree or a leaf, or skipped";
                Err(Error::new(*span, help))
            }
            _ => {
                if role != Role::Meta {
                    aliases.iter().try_for_each(older_path)?;
                }
                // A skipped field has the default of its type already.
                let default = default.and_then(|(span, value)| match role {
                    Role::Skip => value,
                    _ => {
                        value.or_else(|| Some(parse_quote_spanned!(span=> d__::Default::default())))
                    }
                });
                Ok(Self { role, default, name, aliases })
            }
        }
    }
}

/// Refuses a name of a child that is no step of a path.
pub(crate) fn step(name: &str, span: Span) -> Result<()> {
    if !is_no_step(name) {
        return Ok(());
    }
    let help = "the name of a child is not empty and has no `.`, `[` or `]`, which separate the names in a path \
                such as `axis[0].kp`";
    Err(Error::new(span, help))
}

impl VariantAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut rename = None;
        let (name, aliases) = variant(&VARIANT, attributes, |meta| rename_all(&mut rename, meta))?;
        Ok(Self { name, rename, aliases })
    }
}

/// Reads `alias = ".."`, if this entry is one.
fn alias(aliases: &mut Vec<LitStr>, meta: &ParseNestedMeta<'_>) -> Result<bool> {
    if !meta.path.is_ident("alias") {
        return Ok(false);
    }
    let alias = text(meta)?;
    older_name(&alias)?;
    aliases.push(alias);
    Ok(true)
}

fn older_name(alias: &LitStr) -> Result<()> {
    let text = alias.value();
    if !text.is_empty() && text.trim() == text {
        return Ok(());
    }
    let help = "an alias is an older name: it is not empty, and no space is at its ends";
    Err(Error::new(alias.span(), help))
}

/// Refuses an alias of a field that can be no path. A key in quotes has any characters, so a path with one is not looked at.
fn older_path(alias: &LitStr) -> Result<()> {
    let text = alias.value();
    let path = text.strip_prefix(['.', '[']).unwrap_or(&text);
    let has_names = path.split(['.', '[']).all(|name| !name.is_empty() && name != "]");
    let is_closed = text.matches('[').count() == text.matches(']').count();
    if has_names && is_closed || text.contains(['\'', '"']) {
        return Ok(());
    }
    let help = "an alias of a field is an older name, or a path in its node such as `gains.p` or `taps[0]`: no name in it is \
                empty, and each `[` is closed";
    Err(Error::new(alias.span(), help))
}

/// The `name` of a variant of a `Meta` type, and its older ones.
pub(crate) fn variant_names(attributes: &[Attribute]) -> Result<(Option<LitStr>, Vec<LitStr>)> {
    variant(&STATIC_VARIANT, attributes, |_| Ok(false))
}

/// The `name` of a variant, and its older ones. `other` reads another entry that the place takes, and says whether it did.
fn variant(
    place: &Place,
    attributes: &[Attribute],
    mut other: impl FnMut(&ParseNestedMeta<'_>) -> Result<bool>,
) -> Result<(Option<LitStr>, Vec<LitStr>)> {
    let (mut name, mut aliases) = (None, Vec::new());
    entries(attributes, |meta| {
        if meta.path.is_ident("name") {
            return once(&mut name, &meta, text(&meta)?);
        }
        if alias(&mut aliases, &meta)? {
            return Ok(());
        }
        if other(&meta)? { Ok(()) } else { Err(place.unknown(&meta)) }
    })?;
    match name {
        Some(name) if name.value().is_empty() => {
            Err(Error::new(name.span(), "the name of a variant is not empty"))
        }
        name => Ok((name, aliases)),
    }
}

/// The path of this crate and the name for `#[derive(Leaf)]`.
pub(crate) fn leaf_attributes(attributes: &[Attribute]) -> Result<(Path, Option<TokenStream>)> {
    let (mut path, mut name) = (None, None);
    entries(attributes, |meta| {
        if meta.path.is_ident("name") {
            return once(&mut name, &meta, type_name(&meta)?);
        }
        if krate(&mut path, &meta)? { Ok(()) } else { Err(LEAF.unknown(&meta)) }
    })?;
    Ok((or_treedef(path), name))
}

/// The path of this crate for `#[derive(Meta)]`.
pub(crate) fn meta_crate(attributes: &[Attribute]) -> Result<Path> {
    let mut path = None;
    entries(attributes, |meta| match krate(&mut path, &meta)? {
        true => Ok(()),
        false => Err(STATIC.unknown(&meta)),
    })?;
    Ok(or_treedef(path))
}

/// Refuses attributes on the fields of a `Meta` type.
pub(crate) fn no_attributes(attributes: &[Attribute]) -> Result<()> {
    entries(attributes, |meta| Err(STATIC_FIELD.unknown(&meta)))
}

/// Returns the name from the `name` attribute or the identifier, and its span.
pub(crate) fn named(ident: &Ident, name: Option<&LitStr>) -> (String, Span) {
    named_by(ident, name, |own| own)
}

/// As [`named`]; `rename` makes the name of the identifier.
pub(crate) fn named_by(
    ident: &Ident,
    name: Option<&LitStr>,
    rename: impl FnOnce(String) -> String,
) -> (String, Span) {
    match name {
        Some(name) => (name.value(), name.span()),
        None => (rename(ident.unraw().to_string()), ident.span()),
    }
}

/// Refuses aliases that are the own name, or are given twice.
pub(crate) fn distinct_aliases(own: &str, aliases: &[LitStr]) -> Result<()> {
    let mut names = vec![(own.to_owned(), Span::call_site())];
    names.extend(aliases.iter().map(|alias| (alias.value(), alias.span())));
    distinct(&names)
}

/// Refuses aliases that are names of other fields: what is stored under one would be the value of both.
pub(crate) fn no_other_field(names: &[(String, Span)], aliases: &[LitStr]) -> Result<()> {
    for alias in aliases {
        let text = alias.value();
        if names.iter().any(|(name, _)| *name == text) {
            let what = format!(
                "`{text}` is also the name of a field, and what is stored under it would go to both"
            );
            let help = "give the function that loads a pair of paths, which moves it";
            return Err(Error::new(alias.span(), format!("{what}: {help}")));
        }
    }
    Ok(())
}

/// Refuses a name that was already used.
pub(crate) fn distinct(names: &[(String, Span)]) -> Result<()> {
    for (i, (name, span)) in names.iter().enumerate() {
        if names.iter().take(i).any(|(other, _)| other == name) {
            return Err(Error::new(*span, format!("the name `{name}` is given twice")));
        }
    }
    Ok(())
}
