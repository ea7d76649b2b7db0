//! `KnownKey` as the key of maps of other crates: `cargo test`.
//!
//! Most of them are asked with a `KnownRef`, which is on the stack. `dashmap` and the map of `std` ask for a type that the key can be
//! borrowed as, which a `KnownRef` is not, so they are asked with a key.

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use treedef::Error;
    use treedef::cache::{FingerprintState, KnownKey, KnownRef};

    /// The arguments of a function.
    type Net = Vec<(f32, Option<f32>)>;

    type Key = KnownKey<Net>;

    /// Two calls of one kind, whose key is longer than what a `KnownRef` has on the stack, and one of another kind.
    fn calls() -> [Net; 3] {
        let (bias, none) = ((1.0, Some(2.0)), (3.0, None));
        [vec![bias; 300], vec![(4.0, Some(5.0)); 300], vec![none; 2]]
    }

    #[test]
    fn hashbrown_is_asked_with_a_reference() -> Result<(), Error> {
        let [first, second, other] = calls();
        let mut codes = hashbrown::HashMap::<Key, &str, FingerprintState>::default();
        codes.insert(KnownRef::new(&first).to_key()?, "code");
        assert_eq!(codes.get(&KnownRef::new(&second)), Some(&"code"));
        assert_eq!(codes.get(&KnownRef::new(&other)), None);
        Ok(())
    }

    #[test]
    fn indexmap_is_asked_with_a_reference() -> Result<(), Error> {
        let [first, second, other] = calls();
        let mut codes = indexmap::IndexMap::<Key, &str, FingerprintState>::default();
        codes.insert(KnownRef::new(&other).to_key()?, "other code");
        codes.insert(KnownRef::new(&first).to_key()?, "code");
        assert_eq!(
            codes.get_full(&KnownRef::new(&second)).map(|(at, _, code)| (at, *code)),
            Some((1, "code"))
        );
        assert_eq!(codes.shift_remove(&KnownRef::new(&other)), Some("other code"));
        assert_eq!(codes.get(&KnownRef::new(&other)), None);
        Ok(())
    }

    #[test]
    fn moka_is_asked_with_a_reference_by_all_threads() {
        let codes = moka::sync::Cache::<Key, usize, _>::builder()
            .max_capacity(100)
            .build_with_hasher(FingerprintState::default());
        let built = std::sync::atomic::AtomicUsize::new(0);
        let find = |net: &Net| -> Option<usize> {
            let call = KnownRef::new(net);
            if let Some(code) = codes.get(&call) {
                return Some(code);
            }
            // The first thread that misses builds. The others wait for it.
            let build = || built.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + net.len();
            Some(codes.get_with(call.to_key().ok()?, build))
        };
        let [first, second, other] = calls();
        let expected = find(&first);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(find(&second), expected));
            }
        });
        assert_ne!(find(&other), expected);
        assert_eq!(built.into_inner(), 2);
    }

    #[test]
    fn quick_cache_is_asked_with_a_reference() -> Result<(), Error> {
        let [first, second, other] = calls();
        let codes = quick_cache::sync::Cache::<Key, &str>::new(100);
        codes.insert(KnownRef::new(&first).to_key()?, "code");
        assert_eq!(codes.get(&KnownRef::new(&second)), Some("code"));
        assert_eq!(codes.get(&KnownRef::new(&other)), None);
        Ok(())
    }

    #[test]
    fn dashmap_is_asked_with_a_key() -> Result<(), Error> {
        let [first, second, other] = calls();
        let codes = dashmap::DashMap::<Key, &str, FingerprintState>::default();
        codes.insert(KnownRef::new(&first).to_key()?, "code");
        assert_eq!(codes.get(&KnownRef::new(&second).to_key()?).as_deref(), Some(&"code"));
        assert!(codes.get(&KnownRef::new(&other).to_key()?).is_none());
        Ok(())
    }

    #[test]
    fn the_map_of_std_is_asked_with_a_key() -> Result<(), Error> {
        let [first, second, other] = calls();
        let mut codes = HashMap::<Key, &str, FingerprintState>::default();
        codes.insert(KnownRef::new(&first).to_key()?, "code");
        assert_eq!(codes.get(&KnownRef::new(&second).to_key()?), Some(&"code"));
        assert_eq!(codes.get(&KnownRef::new(&other).to_key()?), None);
        Ok(())
    }
}
