//! Refuses what a struct with `#[tree(transparent)]` cannot have: its node is that of its only child.

use syn::spanned::Spanned;
use syn::{Error, Result};

use crate::attributes::Role;
use crate::input::Input;
use crate::types::find;

pub(crate) fn check(input: &Input) -> Result<()> {
    let container = &input.container;
    let Some(span) = container.transparent else { return Ok(()) };
    let refuse = |message: &str| Err(Error::new(span, message));
    if input.is_enum {
        return refuse("an enum cannot be transparent: its node says which variant a value is");
    }
    if container.name.is_some() || !container.aliases.is_empty() {
        return refuse(
            "a transparent struct has no `name` in the treedef and no `alias`: its node is that of its field",
        );
    }
    if container.rename.is_some() {
        return refuse(
            "a transparent struct has no names of fields in the treedef, so `rename_all` changes nothing",
        );
    }
    if let Some((name, _)) = container.metas.first() {
        let is_param = input.generics.const_params().any(|param| param.ident == *name);
        let message = match is_param {
            true => format!(
                "the node of a transparent struct is that of its field, which does not show `{name}`: write \
                 `#[tree(skip({name}))]` if it makes no difference to the structure"
            ),
            false => {
                "a transparent struct has no `meta` fields: its node is that of its field".into()
            }
        };
        return Err(Error::new(if is_param { span } else { name.span() }, message));
    }
    if let Some(meta) = input.fields().find(|field| field.role == Role::Meta) {
        let message = "a transparent struct has no `meta` fields: its node is that of its field";
        return Err(Error::new(meta.ty.span(), message));
    }
    let children: Vec<_> = input.fields().filter(|field| field.is_child()).collect();
    let [child] = children.as_slice() else {
        let count = children.len();
        let message = format!(
            "a transparent struct has one field that is a tree or a leaf, and the others are `skip`: this one has {count} such fields"
        );
        return refuse(&message);
    };
    if let Some(default) = &child.default {
        let message = "`default` is for a field of a node, and a transparent struct has none of its own: give it to the fields of \
                       this type";
        return Err(Error::new(default.span(), message));
    }
    if find(&child.ty, &input.ident, &input.generics).names_own {
        let message = "a transparent struct has no node of its own, so it cannot contain itself";
        return Err(Error::new(child.ty.span(), message));
    }
    Ok(())
}
