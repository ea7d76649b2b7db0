//! The line to the device.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// A line that bytes go over in both directions.
pub trait Wire {
    /// Sends one frame.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn send(&mut self, frame: &[u8]) -> io::Result<()>;

    /// What came; nothing if nothing came for as long as an answer takes at most.
    ///
    /// # Errors
    ///
    /// Those of the operating system, and one where nothing can come any more.
    fn receive(&mut self) -> io::Result<Vec<u8>>;
}

impl<W: Wire + ?Sized> Wire for &mut W {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        (**self).send(frame)
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        (**self).receive()
    }
}

/// A program whose input and output are the line: an emulator, or `socat` on a serial port.
#[derive(Debug)]
pub struct Program {
    child: Child,
    input: ChildStdin,
    output: Receiver<Vec<u8>>,
    patience: Duration,
}

impl Program {
    /// Starts the program. `patience` is how long an answer takes at most.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn start(command: &[String], patience: Duration) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (input, mut from) =
            child.stdin.take().zip(child.stdout.take()).ok_or(io::ErrorKind::BrokenPipe)?;
        let (to, output) = mpsc::channel();
        // A pipe has no time limit, a channel does. The thread ends with the program's output.
        thread::spawn(move || {
            let mut bytes = [0; 512];
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                if to.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, output, patience })
    }

    /// Waits until the program ends.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn end(mut self) -> io::Result<ExitStatus> {
        self.child.wait()
    }
}

impl Wire for Program {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        self.input.write_all(frame)?;
        self.input.flush()
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        match self.output.recv_timeout(self.patience) {
            Ok(bytes) => Ok(bytes),
            Err(RecvTimeoutError::Timeout) => Ok(Vec::new()),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// No emulator is left behind where a session fails.
impl Drop for Program {
    fn drop(&mut self) {
        // It fails where the program has ended, as it should have.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
