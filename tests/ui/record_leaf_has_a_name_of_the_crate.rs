//~ error[E0080]: evaluation panicked: `Duration` is the name of a leaf type of this crate: give `RecordLeaf` another one, by `#[tree(name = "..")]`
//~ error[E0080]: evaluation panicked: `uint16` is the name of a leaf type of this crate: give `RecordLeaf` another one, by `#[tree(name = "..")]`
use treedef::record::{RecordLeaf, record_bytes_with};

#[derive(treedef::Leaf)]
#[tree(name = "Duration")]
struct Duration(u8);

impl RecordLeaf for Duration {
    const NAME: &'static str = "Duration";

    fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R {
        give(&[self.0])
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.first().map(|seconds| Duration(*seconds))
    }
}

const _: usize = record_bytes_with::<Duration, (Duration,)>();

#[derive(treedef::Leaf)]
#[tree(name = "uint16")]
struct Word(u8);

impl RecordLeaf for Word {
    const NAME: &'static str = "uint16";

    fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R {
        give(&[self.0])
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.first().map(|word| Word(*word))
    }
}

const _: usize = record_bytes_with::<Word, (Word,)>();
