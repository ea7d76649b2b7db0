//~ mismatched types
//~ expected `()`, found `Result<
//~# 1
use treedef::{Error, over, visitor};

pub fn check(tree: &(f32, f64)) -> Result<(), Error> {
    over(tree).types::<(f32, f64)>().visit(visitor!([] <T: Copy> |x| Err::<(), Error>(Error::TooLarge)))
}
