//! The picture and the page of `treedef inspect`.

use super::{data, file, output};

/// The blocks of a picture without its key: x, y, width and height.
fn blocks(svg: &str) -> Vec<[f64; 4]> {
    let number = |block: &str, name: &str| {
        let rest = block.split_once(&format!(" {name}=\"")).unwrap().1;
        rest.split('"').next().unwrap().parse().unwrap()
    };
    let blocks = svg.split("<rect").skip(1).filter(|block| !block.starts_with(" class=\"key\""));
    blocks.map(|block| ["x", "y", "width", "height"].map(|name| number(block, name))).collect()
}

#[test]
fn blocks_are_as_tall_as_their_share() {
    let svg = output(&["inspect", "--svg", &data("gpt2_small.json")]);
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "), "{svg}");
    assert!(svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains(">124,439,808 parameters · 497.8 MB · f32</text>"), "{svg}");
    let blocks = blocks(&svg);
    let sum = |kept: &dyn Fn(&[f64; 4]) -> bool| -> f64 {
        blocks.iter().filter(|block| kept(block)).map(|block| block[3]).sum()
    };
    // The first column is the whole tree, and so are the leaves, but for those that are too small.
    assert!((sum(&|[x, ..]| *x == 16.0) - 560.0).abs() < 0.1);
    let leaves = sum(&|[x, _, width, _]| (x + width - 1184.0).abs() < 0.2);
    assert!((555.0..560.1).contains(&leaves), "{leaves}");
    // No block leaves the picture, and none covers another.
    for [x, y, width, height] in &blocks {
        assert!(*x >= 16.0 && x + width <= 1184.2 && *y >= 56.0 && y + height <= 616.1);
        let over = blocks.iter().filter(|[left, top, wide, tall]| {
            x + 0.2 < left + wide
                && left + 0.2 < x + width
                && y + 0.2 < top + tall
                && top + 0.2 < y + height
        });
        assert!(over.count() <= 1, "{x} {y} {svg}");
    }
    // `h` has 340.2 of 497.8 MB.
    let h = svg.split("<title>params.transformer.h\n340.2 MB\n68%</title>").nth(1).unwrap();
    let height = 560.0 * 85_054_464.0 / 124_439_808.0;
    assert!(h.contains(&format!(" height=\"{height:.2}\"")), "{h}");
}

#[test]
fn a_tree_without_sizes_is_drawn_by_leaves() {
    let svg = output(&["inspect", "--svg", &data("pairs.treedef")]);
    assert_eq!(blocks(&svg).len(), 3, "{svg}");
    assert!(svg.contains("<title>0-2.0, 1\ntuple × 2\n12 leaves\n100%</title>"), "{svg}");
    // Two trees are below each other.
    let svg = output(&["inspect", "--svg", &data("pid_step.jax_export")]);
    assert!(svg.contains(">pid_step.jax_export, outputs</text>"), "{svg}");
    assert!(blocks(&svg).iter().any(|[_, y, ..]| *y > 640.0), "{svg}");
    // Nothing at all, and a leaf by itself.
    for json in ["{}", "1", "\"f32[3]\""] {
        let file = file("picture", "small.json", json.as_bytes());
        assert!(output(&["inspect", "--svg", &file]).ends_with("</svg>\n"));
        assert!(output(&["inspect", "--html", &file]).ends_with("</html>\n"));
    }
}

/// The colour of the block with this path, and that of a dtype in the key.
fn block_color<'s>(svg: &'s str, path: &str) -> &'s str {
    let block = svg.split_once(&format!("<title>{path}\n")).unwrap_or_else(|| panic!("{svg}")).1;
    block.split_once("fill=\"").unwrap().1.split('"').next().unwrap()
}

fn key_color<'s>(svg: &'s str, name: &str) -> Option<&'s str> {
    let found = svg.lines().find(|line| {
        line.starts_with("<rect class=\"key\"") && line.ends_with(&format!(">{name}</text>"))
    });
    Some(found?.split_once("fill=\"").unwrap().1.split('"').next().unwrap())
}

/// The hue and the saturation of a colour. Deeper blocks have the same, and are darker.
fn hue(color: &str) -> &str {
    color.strip_prefix("hsl(").unwrap().rsplit_once(' ').unwrap().0
}

#[test]
fn the_colour_of_a_block_is_its_dtype() {
    let json = br#"{"a": {"w": "f32[8,8]", "b": "f32[8]"}, "m": {"q": "i4[64]", "s": "bf16[64]"}, "h": "bf16[64]"}"#;
    let mixed = output(&["inspect", "--svg", &file("picture", "mixed.json", json)]);
    let key = |name: &str| hue(key_color(&mixed, name).unwrap_or_else(|| panic!("{name} {mixed}")));
    for (path, name) in [
        ("a", "f32"),
        ("a.w", "f32"),
        ("a.b", "f32"),
        ("h", "bf16"),
        ("m", "several"),
        ("m.s", "bf16"),
        ("m.q", "i4"),
    ] {
        assert_eq!(hue(block_color(&mixed, path)), key(name), "{path} {mixed}");
    }
    let mut hues = ["f32", "bf16", "i4", "several"].map(key);
    hues.sort_unstable();
    assert!(hues.windows(2).all(|pair| pair[0] != pair[1]), "{hues:?}");
    // One dtype needs no grey, and a common one has the same colour in every picture.
    let one = output(&["inspect", "--svg", &data("gpt2_small.json")]);
    assert_eq!(key_color(&one, "f32"), key_color(&mixed, "f32"));
    assert_eq!(key_color(&one, "several"), None);
    assert_eq!(one.matches("class=\"key\"").count(), 1, "{one}");
    // More dtypes than colours.
    let names = ["i2", "i4", "u2", "u4", "u16", "u32", "u64"].map(|name| format!("\"{name}[64]\""));
    let many = format!("[{}]", names.join(","));
    let many = output(&["inspect", "--svg", &file("picture", "many.json", many.as_bytes())]);
    assert!(key_color(&many, "others, or several").is_some(), "{many}");
    assert_eq!(many.matches("class=\"key\"").count(), 5, "{many}");
    // Without dtypes there is no key.
    let none = output(&["inspect", "--svg", &data("pairs.treedef")]);
    assert_eq!(none.matches("class=\"key\"").count(), 0, "{none}");
}

/// A block with room for one line has its type in it, a larger one in a second line.
#[test]
fn blocks_say_what_they_are() {
    let svg = output(&["inspect", "--svg", &data("tiny_gpt.safetensors")]);
    for text in [">bias · 2 × f32[12]</text>", ">2 × f32[4,12]</text>", ">× 2 · 2.0 kB</text>"]
    {
        assert!(svg.contains(text), "{text} {svg}");
    }
}

#[test]
fn the_page_has_the_rows_of_the_table() {
    let html = output(&["inspect", "--treedef", "--html", &data("tiny_gpt.safetensors")]);
    assert!(html.starts_with("<!doctype html>\n"), "{html}");
    for part in [
        ">wte.weight</span><span class=\"type\">f16[8,4]</span><span class=\"number\">32</span>",
        "<tr><th>largest<td>256 B  12%  transformer.h.0.mlp.c_fc.weight  f32[4,16], and 3 as large\n",
        "<tr><th>fingerprint<td>12d1cc4691eb5c88 of the structure\n",
        "<tr><th>metadata<td>format=pt, model=gpt2, two layers of width four\n",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    // What begins with `<` is a tag.
    let is_tag =
        |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    assert!(html.split('<').skip(1).all(is_tag), "{html}");
    assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
    assert_eq!(html.matches("class=\"row").count(), 26, "{html}");
}

/// On a phone the picture keeps its letters and scrolls, and the numbers of a row are in a column beside its name.
#[test]
fn the_page_can_be_read_on_a_phone() {
    let html = output(&["inspect", "--html", &data("gpt2_small.json")]);
    let after = |text: &str| -> f64 {
        let rest = html.split_once(text).unwrap_or_else(|| panic!("no {text} in {html}")).1;
        rest.split(['p', '"']).next().unwrap().parse().unwrap()
    };
    let width = after("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    let letters = after("\nsvg { font: ")
        * after(".picture svg { display: block; width: 100%; min-width: ")
        / width;
    assert!(letters >= 10.0, "letters of {letters} pixels");
    assert!(html.contains("\n.picture { overflow-x: auto; }\n"), "{html}");
    assert!(html.contains("\n<div class=\"picture\">\n<svg "), "{html}");
    let phone = html.split_once("\n@media (max-width: 900px) {\n").unwrap().1;
    // The name may be cut into lines; the numbers have the width that they need.
    assert!(phone.contains(" .row { grid-template-columns: minmax(0, 1fr) auto 3em;"), "{phone}");
    assert!(phone.contains(" .type + .number { grid-area: 1 / 2 / 2 / 4; }"), "{phone}");
    // Also in the heading.
    let rows = html.matches(" class=\"row").count();
    assert_eq!(html.matches("<span class=\"number\">").count(), 3 * rows, "{html}");
    assert_eq!(html.matches("</span><span class=\"type\">").count(), rows, "{html}");
}

#[test]
fn names_are_no_markup() {
    let json =
        br#"{"<script>alert(1)</script>": "f32[2]", "a&b\"": "f32[2]", "bell\u0007": "f32[2]"}"#;
    let file = file("picture", "<b>.json", json);
    for form in ["--svg", "--html"] {
        let out = output(&["inspect", form, &file]);
        assert!(!out.contains("<script") && !out.contains("<b>"), "{out}");
        assert!(out.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{out}");
        assert!(out.contains("a&amp;b") && out.contains(">&lt;b&gt;.json<"), "{out}");
        assert!(!out.contains('\u{7}'), "{out}");
    }
}
