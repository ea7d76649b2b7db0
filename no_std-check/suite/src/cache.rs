//! Cache of fixed size, and call keys.

use treedef::cache::{Dim, Dtype, KeyBuf, KeyPart, KeyWriter, Part, ShapeDtype};
use treedef::{Cache, CallKey, Error, TreeDef, Value, treedef};

use crate::golden;
use crate::report::{Case, Digest, Hex, Missing, Outcome, Report};

pub const CASES: &[Case] =
    &[("call keys", call_keys), ("dimensions", dimensions), ("cache", cache)];

const PAIR: TreeDef<'static> = treedef!((*, *));
const LIST: TreeDef<'static> = treedef!([*, *, {"a": *}]);

/// A leaf with a shape.
struct Tensor([usize; 2]);

impl KeyPart for Tensor {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        key.array(Dtype::Float32, false, &self.0);
    }
}

fn written<'b>(def: TreeDef<'_>, bytes: &'b mut [u8]) -> Result<CallKey<'b>, Error> {
    let mut key = KeyWriter::new(bytes);
    key.treedef(def).leaves(&[Tensor([2, 300]), Tensor([70_000, 1])]);
    key.meta(&(true, -7)).value(Value::Float(0.5)).bytes(b"abc").named("device", "cuda:0");
    key.leaves([ShapeDtype::symbolic(Dtype::Int8, &[Dim::Symbolic("2*b"), Dim::Size(1 << 35)])]);
    key.finish()
}

fn call_keys(report: &mut Report<'_>) -> Outcome {
    let mut bytes = [0; 96];
    let key = written(PAIR, &mut bytes)?;
    report.fact("key", key);
    report.fact("bytes", Hex(key.as_bytes()));
    report.fact("fingerprint", format_args!("{:016x}", key.fingerprint()));
    for part in key.parts() {
        report.fact("part", part);
    }
    let needed = key.as_bytes().len();
    for room in 0..needed {
        let error = written(PAIR, &mut [0; 96][..room]).err().ok_or(Missing)?;
        report.same(error, Error::CallKeyFull { needed, room })?;
    }
    report.same(written(PAIR, &mut [0; 96][..needed])? == key, true)?;
    report.same(written(LIST, &mut [0; 96])? == key, false)?;
    report.same(KeyBuf::<96>::try_from(key)?.as_key() == key, true)
}

/// Dimensions of another machine, which a `usize` of 32 bits does not hold.
fn dimensions(report: &mut Report<'_>) -> Outcome {
    let [one, two] = [1, 2].map(|digit| [0xE2, 11, 1, 0x80, 0x80, 0x80, 0x80, 0x80, digit]);
    let (one, two) = (CallKey::from_bytes(&one)?, CallKey::from_bytes(&two)?);
    let Some(Part::Array(array)) = one.parts().next() else { return Err(Missing.into()) };
    report.same(array.num_elements(), Some(68_990_025_856))?;
    report.same(one.parts().eq(one.parts()), true)?;
    report.same(one.parts().eq(two.parts()), false)
}

fn cache(report: &mut Report<'_>) -> Outcome {
    let mut cache = Cache::<KeyBuf<24>, usize, 8>::new();
    let (mut made, mut order) = (0, Digest::default());
    // All fingerprints alike: what is found is confirmed by bytes.
    for round in 0..3 {
        golden::each(|_, bytes, _| {
            if bytes.len() > 16 {
                return Ok(());
            }
            let key = CallKey::of(TreeDef::from_bytes(bytes)?).with_fingerprint(u64::MAX);
            let found = *cache.get_or_insert_with(key, || {
                made += 1;
                Ok::<_, Error>(bytes.len())
            })?;
            report.same(found, bytes.len())?;
            report.same(cache.peek(key), Some(&found))
        })?;
        for (key, value) in cache.iter() {
            order.bytes(key.as_bytes());
            order.bytes(&[u8::try_from(*value)?]);
        }
        report.fact(
            "kept",
            format_args!("{} after round {round}, {made} made, {order}", cache.len()),
        );
    }
    let key = CallKey::of(PAIR);
    let error = cache.get_or_insert_with(key, || Err(Error::TooLarge)).err().ok_or(Missing)?;
    report.fact("not made", error);
    report.same(cache.peek(key), None)?;
    cache.get_or_insert_with(key, || Ok::<_, Error>(5))?;
    *cache.get_mut(key).ok_or(Missing)? += 1;
    report.same(cache.remove(key), Some(6))?;
    let stats = cache.stats();
    report.fact("counted", format_args!("{stats:?}"));
    Ok(())
}
