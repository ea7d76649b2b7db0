//! Artifacts of `jax.export`.

use core::hint::black_box;

use treedef::jax::{Aval, ElementType, ExportError, Exported, ExportedTree};
use treedef::{Arena, Store, matches, structure_into, structure_len};

use super::{Done, keep, print, print_debug};

/// An artifact with custom nodes and symbolic dimensions, and one with an ordered dict.
const ARTIFACTS: [&[u8]; 2] = [
    include_bytes!("../../../tests/conformance/jax_export/pid_step.bin"),
    include_bytes!("../../../tests/conformance/jax_export/adam_init.bin"),
];

/// Everything that an artifact says.
pub(super) fn read() -> Done {
    for artifact in ARTIFACTS {
        let exported = Exported::from_bytes(black_box(artifact)).ok()?;
        keep(Exported::serialization_version(&exported));
        keep(Exported::calling_convention_version(&exported));
        keep(Exported::jax_version(&exported));
        keep(Exported::function_name(&exported));
        Exported::platforms(&exported).for_each(keep);
        Exported::module_kept_var_idx(&exported).for_each(keep);
        keep(Exported::vjp(&exported).ok()?);
        print_debug(&exported)?;
        print_debug(&(Exported::platforms(&exported), exported.module_kept_var_idx()))?;
        tree(Exported::in_tree(&exported))?;
        tree(Exported::out_tree(&exported))?;
        for aval in Exported::in_avals(&exported).chain(Exported::out_avals(&exported)) {
            print(&aval)?;
            print_debug(&(aval, Aval::shape(&aval)))?;
            Aval::shape(&aval).try_for_each(|dim| print(&dim))?;
            print(&Aval::dtype(&aval))?;
            keep(ElementType::name(Aval::dtype(&aval)));
            keep(ElementType::dtype(Aval::dtype(&aval)));
        }
    }
    Some(())
}

/// A tree as every other structure.
fn tree(tree: ExportedTree<'_>) -> Done {
    keep((ExportedTree::num_leaves(&tree), ExportedTree::num_nodes(&tree)));
    let (mut bytes, mut storage) = ([0; 512], [0; 512]);
    let def = structure_into(&black_box(tree), &mut bytes).ok()?;
    keep(structure_len(&black_box(tree)).ok()?);
    keep(matches(&black_box(tree), def).ok()?);
    keep(Arena::new(&mut storage).structure(&black_box(tree)).ok()?);
    keep(structure_into(&tree, &mut black_box([0; 8])).err()?);
    print_debug(&tree)
}

/// The errors of artifacts with one number changed.
pub(super) fn errors() -> Done {
    let mut bytes = [0; 4528];
    for artifact in ARTIFACTS {
        let artifact = artifact.get(..bytes.len().min(artifact.len()))?;
        for at in (0..artifact.len()).step_by(2) {
            let bytes = bytes.get_mut(..artifact.len())?;
            bytes.copy_from_slice(artifact);
            *bytes.get_mut(at)? ^= black_box(0x83);
            if let Err(error) = Exported::from_bytes(bytes) {
                keep((ExportError::kind(&error), ExportError::offset(&error)));
                print(&error)?;
                print_debug(&error)?;
                print_debug(&error.kind())?;
            }
        }
    }
    Some(())
}
