//! Writes to standard output, and the lines that say why there is none.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};

use crate::progress::{self, Progress};
use crate::style::{is_hidden, plain};

/// Writes to standard output. A reader that closes it early is no failure.
pub(crate) fn print(
    progress: Progress,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    progress::step("writing");
    let stdout = io::stdout().lock();
    // A line about progress would be between those of the output.
    let _shown = (!stdout.is_terminal()).then_some(progress);
    let mut out = BufWriter::with_capacity(1 << 16, stdout);
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error, whatever becomes of it.
pub(crate) fn complain(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{}", plain(&text.to_string()));
}

/// A writer for text and JSON, which escapes characters that are not seen. It is written in whole characters.
pub(crate) struct Escaped<'o> {
    pub(crate) out: &'o mut dyn Write,
    pub(crate) is_json: bool,
}

impl Write for Escaped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        // The program itself ends lines and colours them.
        let escaped = |c: char| is_hidden(c) && !matches!(c, '\n' | '\x1b');
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(escaped) {
            self.out.write_all(before.as_bytes())?;
            let hidden = rest[before.len()..rest.len() - after.len()].chars();
            if self.is_json {
                for unit in hidden.flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()) {
                    write!(self.out, "\\u{unit:04x}")?;
                }
            } else {
                hidden.flat_map(char::escape_unicode).try_for_each(|c| write!(self.out, "{c}"))?;
            }
            rest = after;
        }
        self.out.write_all(rest.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
