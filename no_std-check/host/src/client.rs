//! Asks the device, and asks again until an answer comes.

use std::collections::VecDeque;
use std::error::Error;
use std::{fmt, io};

use protocol::{Body, Counters, Leaves, Receiver, Refusal, Reply, Request, stuffed_len};

use crate::wire::Wire;

/// Bytes of the longest body on this side: a treedef of 900 bytes, or 225 leaves.
const BODY: usize = 1024;

/// So often a request is sent before the device counts as gone.
const ATTEMPTS: u32 = 1000;

/// The host's end of the line.
#[derive(Debug)]
pub struct Client<W> {
    wire: W,
    receiver: Receiver<BODY>,
    /// Came, and is not looked at yet.
    came: VecDeque<u8>,
    number: u16,
    message: Vec<u8>,
    tally: Tally,
}

/// What a client has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests.
    pub asked: u32,
    /// How often one was sent again, because its answer did not come whole.
    pub again: u32,
    /// Frames that came damaged or cut off.
    pub damaged: u32,
    /// Answers to requests that were answered before.
    pub late: u32,
}

/// Why there is no answer, or not the one that was asked for.
#[derive(Debug)]
pub enum Problem {
    /// The line is broken.
    Line(io::Error),
    /// The request is longer than this side sends.
    TooLong,
    /// No whole answer came, however often the request was sent.
    Silent,
    /// The answer is none of this version of the protocol, or one to something else.
    Misunderstood,
    /// The device did nothing.
    Refused(Refusal),
}

impl<W: Wire> Client<W> {
    /// A client at the end of a line.
    pub fn new(wire: W) -> Self {
        Self {
            wire,
            receiver: Receiver::new(),
            came: VecDeque::new(),
            number: 0,
            message: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// What was counted so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The line.
    pub fn wire(&self) -> &W {
        &self.wire
    }

    /// Ends the device's program.
    ///
    /// # Errors
    ///
    /// Every [`Problem`], but a line that ends is none: so it does where the answer was lost.
    pub fn stop(&mut self) -> Result<(), Problem> {
        match self.counters(Request::Stop) {
            Ok(_) | Err(Problem::Line(_)) => Ok(()),
            Err(problem) => Err(problem),
        }
    }

    /// The fingerprint of the device's structure and what it says are the bytes of the treedef.
    ///
    /// # Errors
    ///
    /// Every [`Problem`].
    pub fn hello(&mut self) -> Result<(u64, Vec<u8>), Problem> {
        match self.ask(Request::Hello)? {
            Reply::Structure { fingerprint, treedef } => Ok((fingerprint, treedef.to_vec())),
            _ => Err(Problem::Misunderstood),
        }
    }

    /// Makes a request about this structure that is answered with its leaves, and reads them into `leaves`.
    ///
    /// # Errors
    ///
    /// Every [`Problem`]; then `leaves` are as they were.
    pub fn leaves(
        &mut self,
        request: Request<'_>,
        structure: u64,
        leaves: &mut [f32],
    ) -> Result<(), Problem> {
        match self.ask(request)? {
            Reply::Leaves { fingerprint, leaves: came } if fingerprint == structure => {
                came.unpack(leaves).ok_or(Problem::Misunderstood)
            }
            _ => Err(Problem::Misunderstood),
        }
    }

    /// Sends leaves of this structure, and replaces them with those that are then in force.
    ///
    /// # Errors
    ///
    /// Every [`Problem`]; then `leaves` are as they were.
    pub fn write(&mut self, fingerprint: u64, leaves: &mut [f32]) -> Result<(), Problem> {
        let mut packed = vec![0; 4 * leaves.len()];
        let packed = Leaves::pack(leaves, &mut packed).ok_or(Problem::TooLong)?;
        self.leaves(Request::Write { fingerprint, leaves: packed }, fingerprint, leaves)
    }

    /// What the device has counted.
    ///
    /// # Errors
    ///
    /// Every [`Problem`].
    pub fn counters(&mut self, request: Request<'_>) -> Result<Counters, Problem> {
        match self.ask(request)? {
            Reply::Counters(counters) => Ok(counters),
            _ => Err(Problem::Misunderstood),
        }
    }

    /// Sends the request until its answer comes.
    fn ask(&mut self, request: Request<'_>) -> Result<Reply<'_>, Problem> {
        self.number = self.number.wrapping_add(1);
        self.tally.asked += 1;
        let mut line = [0; stuffed_len(BODY)];
        let body: Body<BODY> =
            Body::new(self.number, |bytes| request.write(bytes)).ok_or(Problem::TooLong)?;
        let frame = body.stuff(&mut line).ok_or(Problem::TooLong)?;
        for _ in 0..ATTEMPTS {
            self.wire.send(frame)?;
            if self.is_answered()? {
                return match Reply::read(&self.message) {
                    Some(Reply::Refused(refusal)) => Err(Problem::Refused(refusal)),
                    Some(reply) => Ok(reply),
                    None => Err(Problem::Misunderstood),
                };
            }
            self.tally.again += 1;
        }
        Err(Problem::Silent)
    }

    /// Waits for the answer to the last request and keeps its message; false if it came damaged or not at all.
    fn is_answered(&mut self) -> Result<bool, Problem> {
        loop {
            if self.came.is_empty() {
                self.came.extend(self.wire.receive()?);
            }
            let Some(byte) = self.came.pop_front() else { return Ok(false) };
            match self.receiver.push(byte) {
                None => {}
                Some(Ok((number, message))) if number == self.number => {
                    self.message.clear();
                    self.message.extend_from_slice(message);
                    return Ok(true);
                }
                Some(Ok(_)) => self.tally.late += 1,
                Some(Err(_)) => {
                    self.tally.damaged += 1;
                    return Ok(false);
                }
            }
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Problem::Line(error)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Line(error) => write!(f, "line is broken: {error}"),
            Problem::TooLong => f.write_str("request is too long"),
            Problem::Silent => write!(f, "no answer to {ATTEMPTS} requests"),
            Problem::Misunderstood => f.write_str("answer is not the one to this request"),
            Problem::Refused(Refusal::OtherStructure { device }) => {
                write!(f, "device refuses: its structure is {device:016x}")
            }
            Problem::Refused(Refusal::Length { expected, found }) => {
                write!(f, "device refuses: {found} bytes of leaves, its structure has {expected}")
            }
            Problem::Refused(Refusal::NotFinite { leaf }) => {
                write!(f, "device refuses: leaf {leaf} is not finite")
            }
            Problem::Refused(Refusal::TooManySteps { most }) => {
                write!(f, "device refuses: it runs at most {most} steps for one request")
            }
            Problem::Refused(Refusal::Unknown) => {
                f.write_str("device refuses: it does not know the request")
            }
        }
    }
}

impl Error for Problem {}
