//! What literals become.

use super::*;

#[test]
fn brackets_give_the_nodes_they_look_like() {
    check(&tree!(7), &[0x00], &[7]);
    check(&tree!(None), &[0xC0], &[]);
    check(&tree!(()), &[0x20], &[]);
    check(&tree!([]), &[0x40], &[]);
    check(&tree!({}), &[0x60, 0x00], &[]);
    check(&tree!((7)), &[0x00], &[7]);
    check(&tree!(([7])), &[0x41, 0x00], &[7]);
    check(&tree!((7,)), &[0x21, 0x00], &[7]);
    check(&tree!(([7],)), &[0x21, 0x41, 0x00], &[7]);
    check(&tree!((None, 1, ())), &[0x23, 0xC0, 0x00, 0x20], &[1]);
    check(&tree!([[1], {"a": [2]},]), &[0x42, 0x41, 0x00, 0x61, 2, 1, b'a', 0x41, 0x00], &[1, 2]);
}

#[test]
fn leaves_are_any_expressions() {
    let (a, b) = (3, [4, 5]);
    let c = &a;
    let tree = tree!([a + 1, (a + 1) * 2, b[1], *c, if a > 2 { 1 } else { 0 }, i32::abs(-9)]);
    check(&tree, &[0x46, 0x05], &[4, 8, 5, 3, 1, 9]);
}

#[test]
fn keys_in_any_order_are_sorted_and_leaves_evaluated_as_written() {
    let calls = Cell::new(0);
    let next = || calls.replace(calls.get() + 1);
    let tree = tree!({"w": [next(), next()], "b": {"z": next(), "a": next()}, "": None});
    let bytes = [
        0x63, 5, 0, 1, b'b', 1, b'w', // {'': .., 'b': .., 'w': ..}
        0xC0, 0x62, 4, 1, b'a', 1, b'z', 0x01, 0x42, 0x01,
    ];
    check(&tree, &bytes, &[3, 2, 0, 1]);
}

#[test]
fn long_heads_are_constants_too() {
    // Two keys of 100 bytes: the block is 202 bytes long, 74 + (0 + 1) * 128.
    const DEF: TreeDef<'static> = treedef!({
        "b123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789": *,
        "a123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789": (),
    });
    let (start, rest) = DEF.as_bytes().split_at(5);
    assert_eq!(start, [0x62, 74 | 128, 0, 100, b'a']);
    assert_eq!(rest[99..101], [100, b'b']);
    assert_eq!(rest[200..], [0x20, 0x00]);
}

#[test]
fn literals_are_constant_and_equal_to_nodes_made_at_run_time() {
    const TREE: Node<'static, i32> = tree!([(1, 2), (3, 4), (5, 6), {"b": 7, "a": None}]);
    static STATIC: Node<'static, i32> = TREE;
    let bytes = [0x44, 0x22, 0x01, 0xA1, 0x02, 0x62, 4, 1, b'a', 1, b'b', 0xC0, 0x00];
    check(&TREE, &bytes, &[1, 2, 3, 4, 5, 6, 7]);
    check(&STATIC, &bytes, &[1, 2, 3, 4, 5, 6, 7]);
    const DEF: TreeDef<'static> = treedef!([(*, *), (*, *), (*, *), {"b": *, "a": None}]);
    assert_eq!(DEF.as_bytes(), bytes);
    assert_eq!(DEF.num_leaves(), 7);
}
