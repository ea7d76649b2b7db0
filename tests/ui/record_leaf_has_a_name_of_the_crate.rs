//~ error[E0080]: evaluation panicked: `Duration` is the name of a leaf type of this crate: give `RecordLeaf` another one, by `#[tree(name = "..")]`
use treedef::record::{RecordLeaf, save_into};

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

fn main() {
    let _ = save_into(&Duration(1), &mut [0; 16]);
}
