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
    let _ = writeln!(io::stderr(), "{}", plain(&text.to_string().replace('\n', " ")));
}

/// A writer for JSON, which escapes characters that are not seen. JSON has them only in texts, and is written in whole
/// characters.
pub(crate) struct Escaped<'o>(pub(crate) &'o mut dyn Write);

impl Write for Escaped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text =
            str::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
        let mut rest = text;
        while let Some((at, hidden)) =
            rest.char_indices().find(|(_, c)| *c != '\n' && is_hidden(*c))
        {
            self.0.write_all(&rest.as_bytes()[..at])?;
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                write!(self.0, "\\u{unit:04x}")?;
            }
            rest = &rest[at + hidden.len_utf8()..];
        }
        self.0.write_all(rest.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
