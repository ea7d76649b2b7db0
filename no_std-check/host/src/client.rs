//! Asks the device, and asks again until an answer comes.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use device::line::{Action, Answer, Receiver, Refusal, Reply, Request, Value, frame};
use treedef::record::frame::FrameError;

/// How long an answer takes. A request that is sent again too soon does no harm: it is done once.
const PATIENCE: Duration = Duration::from_millis(20);

/// How often a request is sent before the device counts as gone: ten seconds, in which an emulator starts.
const ATTEMPTS: u32 = 500;

/// A line that bytes go over in both directions.
pub trait Wire {
    /// Sends one frame.
    fn send(&mut self, frame: &[u8]) -> io::Result<()>;

    /// The next byte. `None` if none came for as long as an answer takes; an error if none can come any more.
    fn receive(&mut self) -> io::Result<Option<u8>>;
}

/// The host's end of the line.
pub struct Client<'w, W> {
    pub wire: &'w mut W,
    /// The key of the type that requests are about.
    pub key: u64,
    receiver: Receiver,
    number: u32,
}

/// Why there is no answer, or not the one that was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("line is broken: {0}")]
    Line(#[from] io::Error),
    #[error("request is too long")]
    TooLong,
    #[error("no answer to {ATTEMPTS} requests")]
    Silent,
    #[error("answer is not the one to this request")]
    Misunderstood,
    #[error("device refuses: {0}")]
    Refused(#[from] Refusal),
    #[error("{0}")]
    Frame(#[from] FrameError),
}

impl<'w, W: Wire> Client<'w, W> {
    pub fn new(wire: &'w mut W) -> Self {
        Self { wire, key: 0, receiver: Receiver::default(), number: 0 }
    }

    /// The key of the device, which requests are about from now on.
    pub fn hello(&mut self) -> Result<u64, Problem> {
        let Answer::Key(key) = self.ask(Action::Hello)? else { return Err(Problem::Misunderstood) };
        self.key = key;
        Ok(key)
    }

    /// The bytes that the device calls its schema.
    pub fn schema(&mut self) -> Result<Vec<u8>, Problem> {
        match self.ask(Action::Schema)? {
            Answer::Schema(bytes) => Ok(bytes.to_vec()),
            _ => Err(Problem::Misunderstood),
        }
    }

    /// The drive after an action, as a frame.
    pub fn value(&mut self, action: Action) -> Result<Value, Problem> {
        match self.ask(action)? {
            Answer::Value(value) => Ok(value),
            _ => Err(Problem::Misunderstood),
        }
    }

    /// Sends the request until an answer with its number comes.
    fn ask(&mut self, action: Action) -> Result<Answer, Problem> {
        self.number = self.number.wrapping_add(1);
        let request = Request { key: self.key, action };
        let frame = frame(self.number, &request).ok_or(Problem::TooLong)?;
        for _ in 0..ATTEMPTS {
            self.wire.send(&frame)?;
            while let Some(byte) = self.wire.receive()? {
                if let Some((number, message)) = self.receiver.push(byte)
                    && number == self.number
                {
                    let reply: Reply =
                        postcard::from_bytes(message).map_err(|_| Problem::Misunderstood)?;
                    return Ok(reply?);
                }
            }
        }
        Err(Problem::Silent)
    }
}

/// A program whose input and output are the line: an emulator, or `socat` on a serial port.
pub struct Program {
    child: Child,
    input: ChildStdin,
    output: mpsc::Receiver<u8>,
}

impl Program {
    pub fn start(command: &[String]) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (input, from) =
            child.stdin.take().zip(child.stdout.take()).ok_or(io::ErrorKind::BrokenPipe)?;
        let (to, output) = mpsc::channel();
        // A pipe has no time limit, a channel does. The thread ends with the program's output.
        thread::spawn(move || {
            BufReader::new(from).bytes().flatten().try_for_each(|byte| to.send(byte))
        });
        Ok(Self { child, input, output })
    }

    /// Waits until the program ends.
    pub fn end(mut self) -> io::Result<ExitStatus> {
        self.child.wait()
    }
}

impl Wire for Program {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        self.input.write_all(frame)?;
        self.input.flush()
    }

    fn receive(&mut self) -> io::Result<Option<u8>> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(byte) => Ok(Some(byte)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// No emulator is left when a session fails.
impl Drop for Program {
    fn drop(&mut self) {
        // It fails if the program has ended, as it should have.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
