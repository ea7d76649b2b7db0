//! Says how much of a file was read, if that takes long.

use std::io::{self, IsTerminal, Read, Write};
use std::time::{Duration, Instant};

use crate::style;

/// The time after which the first line is written, and that between lines.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(200);

/// A reader that writes how much was read to `out`: first after `patience`, always on the same line, which it clears at its
/// end.
pub(crate) struct Progress<R, W: Write> {
    file: R,
    /// The length of the file, if it is known.
    len: Option<u64>,
    out: Option<W>,
    read: u64,
    /// When the next line is due.
    next: Instant,
    is_shown: bool,
}

impl<R: Read> Progress<R, io::Stderr> {
    /// A reader that writes to standard error, if that is a terminal.
    pub(crate) fn new(file: R, len: Option<u64>) -> Self {
        let out = io::stderr().is_terminal().then(io::stderr);
        Self::with(file, len, PATIENCE, out)
    }
}

impl<R: Read, W: Write> Progress<R, W> {
    fn with(file: R, len: Option<u64>, patience: Duration, out: Option<W>) -> Self {
        Self { file, len, out, read: 0, next: Instant::now() + patience, is_shown: false }
    }
}

impl<R: Read, W: Write> Read for Progress<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read += count as u64;
        if let Some(out) = &mut self.out
            && Instant::now() >= self.next
        {
            let of = self.len.map(|len| format!(" of {}", style::bytes(len))).unwrap_or_default();
            // Without the line the file is read as well.
            let _ = write!(out, "\rread {}{of}\x1b[K", style::bytes(self.read));
            let _ = out.flush();
            (self.next, self.is_shown) = (Instant::now() + PAUSE, true);
        }
        Ok(count)
    }
}

impl<R, W: Write> Drop for Progress<R, W> {
    fn drop(&mut self) {
        if let Some(out) = self.out.as_mut().filter(|_| self.is_shown) {
            let _ = write!(out, "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::time::Duration;

    use super::Progress;

    fn written(patience: Duration, len: Option<u64>) -> String {
        let (mut out, mut bytes) = (Vec::new(), Vec::new());
        Progress::with(&[7; 3000][..], len, patience, Some(&mut out))
            .read_to_end(&mut bytes)
            .unwrap();
        assert_eq!(bytes, [7; 3000]);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_slow_files_have_a_line() {
        assert_eq!(written(Duration::from_secs(3600), None), "");
        let line = written(Duration::ZERO, Some(3000));
        assert!(line.starts_with("\rread ") && line.contains(" of 3.0 kB\x1b[K"), "{line}");
        assert!(line.ends_with("\r\x1b[K"), "{line}");
        assert!(!written(Duration::ZERO, None).contains(" of "));
    }
}
