//~ the fields of a packed struct cannot be borrowed: declare the struct a leaf by `#[derive(treedef::Leaf)]`, or copy it into one that is not packed
//~ the fields of a packed struct cannot be borrowed: copy it into a struct that is not packed
//~! E0793
//~# 4

#[derive(treedef::Tree)]
#[repr(C, packed)]
pub struct Frame {
    pub kind: u8,
    pub gain: f32,
}

#[derive(treedef::Tree)]
#[repr(packed(2))]
pub struct Wide {
    pub count: (u16, [u32; 2]),
}

#[derive(treedef::Tree)]
#[repr(C, packed)]
pub struct Generic<T> {
    pub value: T,
}

#[derive(treedef::Meta)]
#[repr(C, packed)]
pub struct Window {
    pub size: u16,
}

pub fn used(frame: &Frame, bytes: &mut [u8]) -> bool {
    treedef::structure_into(frame, bytes).is_ok()
}
