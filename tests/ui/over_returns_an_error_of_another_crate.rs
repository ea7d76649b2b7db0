//~# 2
//~ error[E0277]: `ParseIntError` cannot hold an error of treedef
//~ for an error of another crate, let the function return it with `.map_err(treedef::tree::TryError::User)`
//~ error[E0277]: `Own` cannot hold an error of treedef
//~ for a type of your own, write `impl From<treedef::Error> for Own`
use std::num::ParseIntError;

fn parsed(text: &str) -> Result<f32, ParseIntError> {
    text.parse::<i32>().map(|number| number as f32)
}

pub fn foreign(tree: &mut (f32, [f32; 2]), text: &str) -> Result<(), ParseIntError> {
    treedef::over(tree).for_each(|leaf| {
        *leaf = parsed(text)?;
        Ok(())
    })
}

pub struct Own;

pub fn own(tree: &(f32, [f32; 2])) -> Result<(f32, [f32; 2]), Own> {
    treedef::over(tree).try_map(|leaf| if *leaf > 0.0 { Ok(*leaf) } else { Err(Own) })
}
