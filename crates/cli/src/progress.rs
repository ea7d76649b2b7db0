//! Says on standard error what the program does, if that takes long.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::style;

/// The time after which the first line is written, and that between lines.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(200);

/// What the program does.
struct Step {
    name: &'static str,
    /// The bytes of the file that were read, and those that it has, if they are known.
    read: u64,
    len: Option<u64>,
}

impl Step {
    fn line(&self) -> String {
        let read = match self.read {
            0 => String::new(),
            read => format!(" {}", style::bytes(read)),
        };
        let of = self.len.map(|len| format!(" of {}", style::bytes(len))).unwrap_or_default();
        format!("{}{read}{of}", self.name)
    }
}

static STEP: Mutex<Step> = Mutex::new(Step { name: "", read: 0, len: None });

fn change(change: impl FnOnce(&mut Step)) {
    change(&mut STEP.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Begins a step.
pub(crate) fn step(name: &'static str) {
    change(|step| *step = Step { name, read: 0, len: None });
}

/// A thread that writes which step is done, always on the same line. The line is cleared at its end.
pub(crate) struct Progress {
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Begins to write to standard error, if that is a terminal.
    pub(crate) fn start() -> Self {
        let start = || {
            let (sender, end) = mpsc::channel();
            let show = move || show(&mut io::stderr(), &end, PATIENCE, &line);
            // Without a thread, as in WASI, the work is done as well.
            Some((sender, thread::Builder::new().spawn(show).ok()?))
        };
        Self { thread: io::stderr().is_terminal().then(start).flatten() }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

/// Returns the line on the step that is done.
fn line() -> String {
    let mut line = String::new();
    change(|step| line = step.line());
    line
}

/// Writes lines until the other end of the channel is dropped: the first after `patience`.
fn show(out: &mut impl Write, end: &Receiver<()>, patience: Duration, line: &dyn Fn() -> String) {
    let (mut pause, mut is_shown) = (patience, false);
    while end.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        // Without the line the work is done as well.
        let _ = write!(out, "\r{}\x1b[K", line()).and_then(|()| out.flush());
        (pause, is_shown) = (PAUSE, true);
    }
    if is_shown {
        let _ = write!(out, "\r\x1b[K").and_then(|()| out.flush());
    }
}

/// A reader that counts what was read.
pub(crate) struct Counted<R>(R);

impl<R: Read> Counted<R> {
    /// Begins the step of reading a file of `len` bytes, if that is known.
    pub(crate) fn new(file: R, len: Option<u64>) -> Self {
        change(|step| *step = Step { name: "reading", read: 0, len });
        Self(file)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        change(|step| step.read += count as u64);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::{Step, show};

    fn written(patience: Duration, step: Step) -> String {
        let (sender, end) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut out = Vec::new();
            show(&mut out, &end, patience, &|| step.line());
            String::from_utf8(out).unwrap()
        });
        std::thread::sleep(Duration::from_millis(100));
        drop(sender);
        thread.join().unwrap()
    }

    #[test]
    fn only_slow_steps_have_a_line() {
        let step = || Step { name: "reading", read: 3000, len: Some(4000) };
        assert_eq!(written(Duration::from_secs(3600), step()), "");
        let lines = written(Duration::from_millis(1), step());
        assert_eq!(lines, "\rreading 3.0 kB of 4.0 kB\x1b[K\r\x1b[K");
        let lines =
            written(Duration::from_millis(1), Step { name: "comparing", read: 0, len: None });
        assert_eq!(lines, "\rcomparing\x1b[K\r\x1b[K");
    }
}
