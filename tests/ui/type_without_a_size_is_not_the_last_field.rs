//~# 1
//~ error[E0277]: the size for values of type `(dyn Debug + 'static)` cannot be known at compilation time
#[derive(treedef::Tree)]
struct Device {
    log: dyn std::fmt::Debug,
    rate: f32,
}

fn uses(device: &mut Device) {
    let _ = treedef::structure_into(device, &mut [0; 8]);
    let _ = treedef::leaves_into(device, &mut [0.0f32]);
    let _ = treedef::over(&mut *device).for_each(|x| *x += 1.0);
    let _ = treedef::over(device).count();
}

#[derive(treedef::Tree)]
struct Rack {
    devices: [Device; 2],
    rate: f32,
}
