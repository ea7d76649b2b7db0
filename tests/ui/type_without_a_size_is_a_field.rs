//~# 1
//~ error: the size of a field of a tree has to be known: put this type in a `Box` or behind a reference
#[derive(treedef::Tree)]
struct Device {
    rate: f32,
    log: dyn std::fmt::Debug,
}

fn uses(device: &mut Device) {
    let _ = treedef::structure_into(device, &mut [0; 8]);
    let _ = treedef::leaves_into(device, &mut [0.0f32]);
    let _ = treedef::over(device).for_each(|x| *x += 1.0);
    let _ = treedef::tree::sum(device);
}

#[derive(treedef::Tree)]
struct Rack {
    devices: Box<Device>,
    rate: f32,
}
