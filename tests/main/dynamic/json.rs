//! The values of `serde_json`, there and back.

use super::*;
use serde_json::Value as Any;

/// A JSON value.
#[derive(Clone, Copy)]
pub(crate) struct Json<'v>(pub(crate) &'v Any);

impl<'v> Object for Json<'v> {
    type Leaf = &'v Any;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.0 {
            Any::Null => open.none(),
            Any::Array(items) => open.list(items.iter().map(Json)),
            Any::Object(map) => {
                open.dict(map.iter().map(|(key, value)| (key.as_str(), Json(value))))
            }
            leaf => open.leaf(leaf),
        }
    }
}

#[test]
fn values_flatten_and_come_back() -> Result<(), Error> {
    let json = serde_json::json!({"layers": [{"w": [1, 2.5], "b": null}, {"w": [3, "x"], "b": null}], "on": true, "e": {}});
    let (mut bytes, mut leaves) = ([0; 64], [&Any::Null; 8]);
    let (def, count) = Flatten::new().flatten_into(Json(&json), &mut bytes, &mut leaves)?;
    assert_eq!(
        def,
        treedef!({"layers": [{"b": None, "w": [*, *]}, {"b": None, "w": [*, *]}], "on": *, "e": {}})
    );
    let mut stack = vec![None; fold_len(def)?];
    let leaves = leaves[..count].iter().copied();
    let again = fold(def, leaves, &mut stack, Any::clone, |head, children| {
        Ok::<_, Error>(match head.kind() {
            Kind::None => Any::Null,
            Kind::Dict => head
                .keys()
                .map(|key| key.as_str().unwrap_or_default().to_owned())
                .zip(children)
                .collect(),
            _ => Any::Array(children.collect()),
        })
    })?;
    assert_eq!(again, json);
    Ok(())
}
