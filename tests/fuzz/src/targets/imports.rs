//! What other programs write: protos and artifacts of JAX, and the files of the tool, with all that it shows of them.

use std::io::{self, Write};
use std::path::Path;

use treedef_jax::{Exported, read_proto, write_proto};

use crate::bytes::Bytes;
use crate::file::{Format, Reading, read_from};
use crate::guard::{self, Limits};
use crate::output::Escaped;
use crate::style::{Style, is_hidden};
use crate::table::Extent;
use crate::{model, picture, report};

/// The tool shows a thousand levels, by recursion on the main stack.
const LIMITS: Limits = Limits { time: 600, stack: 4 << 20, heap: 8 << 20, keeps: false };

/// More text is not kept.
const MOST: usize = 1 << 20;

/// Reads bytes as a format.
pub fn imports(data: &[u8]) {
    guard::check(data, &LIMITS, || {
        let mut bytes = Bytes(data);
        let format = match bytes.below(12) {
            0 => return proto(bytes.0),
            1 => return exported(bytes.0),
            2 => Some(Format::Json),
            3 => Some(Format::Safetensors),
            4 => Some(Format::Npz),
            5 => Some(Format::Npy),
            6 => Some(Format::TreeDef),
            7 => Some(Format::Key),
            8 => Some(Format::Proto),
            9 => Some(Format::Export),
            10 => Some(Format::Msgpack),
            _ => None,
        };
        let how = bytes.byte();
        let reading = Reading { format, partial: how & 1 == 1 };
        let source = read_from(bytes.0, None, Path::new("/nowhere/file"), reading);
        let Ok(mut source) = source else { return };
        if how & 2 == 2 && source.select("a*").is_err() {
            return;
        }
        let Ok(mut trees) = model::trees(&source, true) else { return };
        if how & 4 == 4 {
            trees.iter_mut().for_each(model::Node::sort_by_size);
        }
        let style = Style { width: 80, color: false };
        let extent = Extent { depth: Some(3), full: how & 8 == 8, treedef: how & 16 == 16 };
        shown(|out| {
            let out = &mut Escaped { out, is_json: false };
            report::text(out, "file", &source, &trees, extent, style)
        });
        shown(|out| report::json(out, "file", &source, &trees));
        shown(|out| picture::html(out, "file", &source, &trees, extent));
    });
}

/// A tree that was read can be written, and is then read as the same.
fn proto(bytes: &[u8]) {
    match read_proto(bytes) {
        Ok(def) if def.num_nodes() < 2000 => {
            if let Ok(again) = write_proto(def.as_treedef()) {
                assert_eq!(read_proto(&again).as_ref(), Ok(&def));
            }
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn exported(bytes: &[u8]) {
    match Exported::from_bytes(bytes) {
        Ok(exported) => {
            let _ = (exported.in_avals().count(), exported.out_avals().count());
            let _ = exported.vjp().map(|vjp| vjp.is_some());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Text that is cut.
struct Cut(Vec<u8>);

impl Write for Cut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() > MOST {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.0.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is shown has no characters that are not seen.
fn shown(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut out = Cut(Vec::new());
    if write(&mut out).is_ok() {
        let text = String::from_utf8(out.0).expect("text");
        if let Some(hidden) = text.chars().find(|c| is_hidden(*c) && *c != '\n') {
            panic!("{hidden:?} is shown");
        }
    }
}
