//~# 1
//~ error: `dyn` objects and functions are no trees: mark the field with `#[tree(skip)]`, or make it a leaf: `treedef::tree::AsLeaf<Option<Box<dyn Fn(f32) -> f32>>>`
#[derive(treedef::Tree)]
struct Device {
    rate: f32,
    filter: Option<Box<dyn Fn(f32) -> f32>>,
}

fn uses(device: &mut Device) {
    let _ = treedef::structure_into(device, &mut [0; 8]);
    let _ = treedef::leaves_into(device, &mut [0.0f32]);
    let _ = treedef::over(device).for_each(|x| *x += 1.0);
    let _ = treedef::tree::sum(device);
}

#[derive(treedef::Tree)]
struct Rack {
    devices: [Device; 2],
    rate: f32,
}
