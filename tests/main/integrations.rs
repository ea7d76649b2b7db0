//! The types of optional crates: as leaves, as lists, in call keys, and as serde reads and writes treedefs.

#[cfg(feature = "arrayvec")]
mod of_arrayvec {
    use arrayvec::ArrayVec;
    use treedef::{Error, TreeDef, flatten_into, over, unflatten};

    type Gains = ArrayVec<(f32, f32), 3>;

    #[test]
    fn vectors_are_lists_with_a_capacity() {
        let gains = Gains::from_iter([(1.0, 2.0), (3.0, 4.0)]);
        let (mut bytes, mut leaves) = ([0; 8], [0.0f32; 4]);
        let (def, _) = flatten_into(&gains, &mut bytes, &mut leaves).unwrap();
        assert_eq!(def, treedef::treedef!([(*, *), (*, *)]));
        assert_eq!(unflatten(def, &leaves), Ok(gains));
        let four: TreeDef<'_> = treedef::treedef!([(*, *), (*, *), (*, *), (*, *)]);
        let full: Result<Gains, Error> = unflatten(four, &[0.0f32; 8]);
        assert_eq!(full, Err(Error::Capacity { node: 0, room: 3 }));
    }

    #[test]
    fn vectors_of_other_crates_are_walked_beside_slices() {
        let mut gains = Gains::from_iter([(1.0, 2.0), (3.0, 4.0)]);
        let changes = [(0.5f32, 1.0f32), (1.5, 2.0)];
        let zipped = over((&mut gains, &changes[..])).for_each(|(x, by): (&mut f32, _)| *x += by);
        assert_eq!((zipped, gains.as_slice()), (Ok(()), [(1.5, 3.0), (4.5, 6.0)].as_slice()));
    }
}

#[cfg(all(feature = "fixed", feature = "derive"))]
mod of_fixed {
    use fixed::types::{I4F12, I8F8, I16F16, U0F8};
    use treedef::tree::{find_leaf_mut, leaf_bytes, read_leaves, write_leaves};
    use treedef::{CallKey, Tree, map, schema_of, treedef_of, unflatten};

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Pid")]
    struct Pid<T> {
        gains: [T; 3],
        trim: Option<T>,
    }

    #[test]
    fn numbers_are_leaves_and_parts_of_keys() {
        let mut pid = Pid { gains: [I16F16::ONE; 3], trim: None };
        *find_leaf_mut(&mut pid, "gains[1]").unwrap() = I16F16::from_num(1.5);
        assert_eq!(pid.gains[1], 1.5);
        let doubled = map(&pid, |x: &I16F16| *x + *x).unwrap();
        assert_eq!(doubled.gains, [2, 3, 2].map(I16F16::from_num));
        let narrow = map(&pid, |x: &I16F16| I8F8::saturating_from_num(*x)).unwrap();
        assert_eq!(narrow.gains[1], 1.5);
        let def = treedef_of::<[U0F8; 2]>();
        assert_eq!(unflatten(def, &[U0F8::MAX; 2]), Ok([U0F8::MAX; 2]));

        const KEY: CallKey<'static> = CallKey::of_type::<(I16F16, U0F8)>();
        assert_eq!(KEY.to_string(), "PyTreeDef((*, *)), int32[], uint8[]");
        assert_eq!(CallKey::of_tree(&(I16F16::ONE, U0F8::MAX), &mut [0; 16]), Ok(KEY));
    }

    #[test]
    fn numbers_are_written_as_the_bytes_of_their_integer() {
        const LEN: usize = leaf_bytes::<(Pid<I16F16>, [U0F8; 2])>();
        let mut tree = (Pid { gains: [I16F16::ONE; 3], trim: None }, [U0F8::from_bits(0xA5); 2]);
        tree.0.gains[1] = I16F16::from_num(-0.25);
        let mut bytes = [0; LEN];
        let len = write_leaves(&tree, &mut bytes).unwrap();
        assert_eq!((LEN, len), (18, 14));
        let expected = [0, 0, 1, 0, 0, 0xC0, 0xFF, 0xFF, 0, 0, 1, 0, 0xA5, 0xA5];
        assert_eq!(bytes[..len], expected);
        let mut read = (Pid { gains: [I16F16::ZERO; 3], trim: None }, [U0F8::ZERO; 2]);
        assert_eq!(read_leaves(&mut read, &bytes[..len]), Ok(()));
        assert_eq!(read, tree);
    }

    #[test]
    fn schemas_of_two_scales_differ() {
        let differences = schema_of::<Pid<I8F8>>().differences(schema_of::<Pid<I4F12>>());
        assert_eq!(
            differences.summary().to_string(),
            "2 differences:\n  at .gains.of: expected type = 'FixedI16<U8>', found type = 'FixedI16<U12>', \
             and the same at 1 more place"
        );
    }
}

#[cfg(feature = "half")]
mod of_half {
    use half::{bf16, f16};
    use treedef::{CallKey, flatten_into, map, unflatten};

    #[test]
    fn floats_are_leaves_and_parts_of_keys() {
        let (mut bytes, mut leaves) = ([0; 16], [f16::ZERO; 2]);
        let pair = [f16::ONE, f16::PI];
        let (def, _) = flatten_into(&pair, &mut bytes, &mut leaves).unwrap();
        assert_eq!(unflatten(def, &leaves), Ok(pair));
        let narrow = map(&pair, |x: &f16| bf16::from_f32(x.to_f32())).unwrap();
        let key = |bytes: &CallKey<'_>| bytes.to_string();
        assert_eq!(
            key(&CallKey::of_tree(&pair, &mut [0; 16]).unwrap()),
            "PyTreeDef([*, *]), float16[], float16[]"
        );
        assert_eq!(
            key(&CallKey::of_tree(&narrow, &mut [0; 16]).unwrap()),
            "PyTreeDef([*, *]), bfloat16[], bfloat16[]"
        );
    }
}

#[cfg(feature = "ndarray")]
mod of_ndarray {
    use ndarray::{Array1, Array2};
    use treedef::{CallKey, flatten_into, map, unflatten};

    #[test]
    fn arrays_are_leaves_and_their_shapes_are_in_keys() {
        let weights = (Array2::from_elem((2, 3), 1.0f32), Array2::from_elem((3, 1), 2.0f32));
        let (mut bytes, mut leaves) = ([0; 16], [Array2::default((0, 0)), Array2::default((0, 0))]);
        let (def, _) = flatten_into(&weights, &mut bytes, &mut leaves).unwrap();
        assert_eq!(def, treedef::treedef!((*, *)));
        assert_eq!(unflatten(def, &leaves).as_ref(), Ok(&weights));
        let sums = map(&weights, |array: &Array2<f32>| array.sum()).unwrap();
        assert_eq!(sums, (6.0, 6.0));

        let key = |array: Array1<u8>| {
            let tree = (weights.clone(), array);
            CallKey::of_tree(&tree, &mut [0; 32]).unwrap().to_string()
        };
        assert_eq!(
            key(Array1::zeros(4)),
            "PyTreeDef(((*, *), *)), float32[2,3], float32[3,1], uint8[4]"
        );
    }
}

#[cfg(all(feature = "alloc", feature = "serde"))]
mod of_serde {
    use std::collections::BTreeMap;

    use serde::de::DeserializeOwned;
    use serde::de::value::{BytesDeserializer, Error, SeqDeserializer};
    use serde::{Deserialize, Serialize};
    use serde_json::{Value, from_value, json, to_value};
    use treedef::cache::{KeyBox, KeyBuf};
    use treedef::path::KeyPathBuf;
    use treedef::{CallKey, TreeDef, TreeDefBox, TreeDefBuf, treedef};

    fn back<T: Serialize + DeserializeOwned>(written: &Value) -> Result<Value, serde_json::Error> {
        from_value::<T>(written.clone()).and_then(to_value)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let def = treedef!([(*, None), *]);
        let text = to_value(def).unwrap();
        assert_eq!(text, json!("422200c000"));
        assert_eq!(back::<TreeDefBox>(&text).unwrap(), text);
        assert_eq!(back::<TreeDefBuf<8>>(&text).unwrap(), text);
        assert_eq!(back::<KeyBox>(&to_value(CallKey::of(def)).unwrap()).unwrap(), text);
        assert_eq!(back::<KeyBuf<8>>(&text).unwrap(), text);
        // As formats for machines have them: bytes, or a sequence of numbers.
        let bytes = BytesDeserializer::<Error>::new(def.as_bytes());
        assert_eq!(TreeDefBox::deserialize(bytes).unwrap(), def);
        let numbers = SeqDeserializer::<_, Error>::new(def.as_bytes().iter().copied());
        assert_eq!(TreeDefBox::deserialize(numbers).unwrap(), def);
    }

    #[test]
    fn a_path_is_its_text() {
        let rates = json!({"['w'][0]": 0.5});
        assert_eq!(back::<BTreeMap<KeyPathBuf, f64>>(&rates).unwrap(), rates);
        assert!(back::<KeyPathBuf>(&json!("['w'][0")).is_err());
    }

    #[test]
    fn what_is_wrong_is_refused() {
        let error = |text: Value| back::<TreeDefBuf<4>>(&text).unwrap_err().to_string();
        assert_eq!(error(json!("4")), "an odd number of hexadecimal digits");
        assert_eq!(error(json!("4g")), "not a hexadecimal digit");
        assert_eq!(error(json!("4444444444")), "more bytes than there is room for");
        assert_eq!(error(json!("42")), TreeDef::from_bytes(&[0x42]).unwrap_err().to_string());
        assert!(back::<KeyBox>(&json!("42")).is_err());
    }
}

#[cfg(feature = "smallvec")]
mod of_smallvec {
    use smallvec::{SmallVec, smallvec};
    use treedef::{flatten_into, unflatten};

    #[test]
    fn vectors_are_lists_of_any_length() {
        for len in [0usize, 2, 5] {
            let list: SmallVec<[f32; 2]> = smallvec![1.5; len];
            let (mut bytes, mut leaves) = ([0; 8], [0.0f32; 5]);
            let (def, count) = flatten_into(&list, &mut bytes, &mut leaves).unwrap();
            assert_eq!((def.num_leaves(), count), (len, len));
            assert_eq!(unflatten(def, &leaves[..len]), Ok(list));
        }
    }
}
