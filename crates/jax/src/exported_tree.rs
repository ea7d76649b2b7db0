//! Reads the trees of an artifact.
//!
//! Tuples, lists, dicts, `None` and `collections.OrderedDict` are read as such. Every other node has only the name
//! under which its type was registered, and the serialized bytes of its aux data.

use std::cmp::Ordering;
use std::collections::HashMap;

use treedef::TreeDefBox;
use treedef::encode::MAX_DEPTH;

use crate::export_error::{ExportError, ExportErrorKind as Fault};
use crate::flatbuffer::{Budget, Elements, Table};
use crate::steps::{self, Step};

/// The fields of `table PyTreeDef`.
const KIND: u8 = 0;
const CHILDREN: u8 = 1;
const CHILDREN_NAMES: u8 = 2;
const CUSTOM_NAME: u8 = 3;
const CUSTOM_AUXDATA: u8 = 4;

/// The name under which JAX registers `collections.OrderedDict`.
const ORDERED_DICT: &str = "collections.OrderedDict";

/// Reads a whole tree.
pub(crate) fn read(root: Table<'_>, budget: &mut Budget) -> Result<TreeDefBox, ExportError> {
    let (mut steps, mut next) = (Vec::new(), Some(root));
    // The remaining children of each open node.
    let mut open: Vec<Elements> = Vec::new();
    loop {
        let table = match (next.take(), open.last_mut().map(Iterator::next)) {
            (Some(table), _) => table,
            (None, Some(Some(child))) => root.table_at(child)?,
            (None, Some(None)) => {
                open.pop();
                steps.push(Step::End);
                continue;
            }
            (None, None) => break,
        };
        let step = read_node(&table, budget)?;
        if !matches!(step, Step::Leaf | Step::None) {
            if open.len() == MAX_DEPTH as usize {
                return Err(table.fault(Fault::TooDeep { limit: MAX_DEPTH }));
            }
            open.push(table.vector(CHILDREN, 4)?);
        }
        steps.push(step);
    }
    steps::treedef(&steps).map_err(|_| root.fault(Fault::TooLarge))
}

/// Reads a node without its children. A dict has a key for each child.
fn read_node<'a>(table: &Table<'a>, budget: &mut Budget) -> Result<Step<'a>, ExportError> {
    let shared = table.fault(Fault::Shared);
    budget.spend(0, shared)?;
    let found = table.vector(CHILDREN, 4)?.len();
    let [kind] = table.number(KIND)?;
    let (expected, step) = match kind {
        0 => (0, Step::Leaf),
        1 => (0, Step::None),
        2 => (found, Step::Tuple(found)),
        3 => (found, Step::List(found)),
        4 => {
            let keys = budget.strings(table, CHILDREN_NAMES)?;
            increasing(&keys).map_err(|kind| table.fault(kind))?;
            (keys.len(), Step::Dict(keys))
        }
        5 => {
            let name = table.required(CUSTOM_NAME, table.string(CUSTOM_NAME)?)?;
            let aux = table.run(CUSTOM_AUXDATA)?;
            budget.spend(name.len(), shared)?;
            budget.spend(aux.len(), shared)?;
            if name == ORDERED_DICT {
                let keys: Vec<String> =
                    serde_json::from_slice(aux).map_err(|_| table.fault(Fault::BadKeys))?;
                distinct(&keys).map_err(|kind| table.fault(kind))?;
                (keys.len(), Step::OrderedDict(keys))
            } else {
                (found, Step::Custom { name, aux, children: found })
            }
        }
        kind => return Err(table.fault(Fault::UnknownNode(kind))),
    };
    match expected == found {
        true => Ok(step),
        false => Err(table.fault(Fault::Arity { expected, found })),
    }
}

/// Checks that the keys of a dict are in sorted order, which for strings is that of their bytes.
fn increasing(keys: &[&str]) -> Result<(), Fault> {
    for (first, pair) in keys.windows(2).enumerate() {
        let [before, key] = pair else { continue };
        match before.cmp(key) {
            Ordering::Less => {}
            Ordering::Equal => return Err(Fault::DuplicateKey { first, second: first + 1 }),
            Ordering::Greater => return Err(Fault::UnsortedKeys { first, second: first + 1 }),
        }
    }
    Ok(())
}

/// Checks that no two keys of an ordered dict are equal.
fn distinct(keys: &[String]) -> Result<(), Fault> {
    let mut places = HashMap::new();
    for (second, key) in keys.iter().enumerate() {
        if let Some(first) = places.insert(key, second) {
            return Err(Fault::DuplicateKey { first, second });
        }
    }
    Ok(())
}
