//~# 2
//~ error[E0282]: type annotations needed
//~ cannot infer type of the type parameter `E` declared on the enum `Result`
//~ Ok::<(), E>(())
//~ error[E0283]: type annotations needed
use std::error::Error;

pub fn parsed(tree: &(f32, [f32; 2]), text: &str) -> Result<(), Box<dyn Error>> {
    treedef::over(tree).for_each(|_| {
        text.parse::<u8>()?;
        Ok(())
    })?;
    Ok(())
}
