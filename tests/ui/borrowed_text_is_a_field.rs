//~# 1
//~ error: a borrowed text is a leaf as `treedef::tree::AsLeaf<&'static str>`
//~ 7 |     name: &'static str,
#[derive(treedef::Tree)]
struct Device {
    rate: f32,
    name: &'static str,
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
