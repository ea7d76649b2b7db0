//! The device's side of the conversation.

use protocol::{AROUND, Body, Counters, Leaves, Receiver, Refusal, Reply, Request, stuffed_len};

use crate::drive::{Drive, FINGERPRINT, LEAVES, STRUCTURE};

/// Control steps that one request may ask for: ten seconds of the drive.
pub const MOST_STEPS: u32 = 10_000;

/// Bytes of the longest request's body: room for more leaves than there are, so that a host with a larger structure is
/// answered.
const ASKED: usize = AROUND + Request::max_len(2 * LEAVES);

/// Bytes of the longest reply's body.
const ANSWERED: usize = AROUND + Reply::max_len(STRUCTURE.as_bytes().len(), LEAVES);

/// Takes what comes over the line byte by byte, and says what goes back.
#[derive(Debug)]
pub struct Session {
    receiver: Receiver<ASKED>,
    desk: Desk,
    /// The number of the request that was done last, and what was answered.
    last: Option<(u16, Body<ANSWERED>)>,
    line: [u8; stuffed_len(ANSWERED)],
}

/// What requests are done with.
#[derive(Debug)]
struct Desk {
    drive: Drive,
    counters: Counters,
    stopped: bool,
}

impl Session {
    /// A session about a drive, in which nothing was said.
    pub const fn new(drive: Drive) -> Self {
        Self {
            receiver: Receiver::new(),
            desk: Desk {
                drive,
                counters: Counters { damaged: 0, repeated: 0, refused: 0, taken: 0 },
                stopped: false,
            },
            last: None,
            line: [0; stuffed_len(ANSWERED)],
        }
    }

    /// Takes a byte, and answers what is to be sent where it ends a request.
    ///
    /// A frame that is no whole one changes nothing but a counter and gets no answer: the host asks again. A request with
    /// the number of the last one is that one again, because its answer was lost: it gets the same answer and is not done
    /// a second time.
    pub fn take(&mut self, byte: u8) -> Option<&[u8]> {
        let Ok((number, message)) = self.receiver.push(byte)? else {
            count(&mut self.desk.counters.damaged);
            return None;
        };
        let request = Request::read(message);
        if request != Some(Request::Hello) && self.last.is_some_and(|(last, _)| last == number) {
            count(&mut self.desk.counters.repeated);
        } else {
            self.last = self.desk.answer(number, request).map(|body| (number, body));
        }
        let (_, body) = self.last.as_ref()?;
        body.stuff(&mut self.line)
    }

    /// Whether the host asked to end the program.
    pub const fn stopped(&self) -> bool {
        self.desk.stopped
    }

    /// The drive as it is.
    pub const fn drive(&self) -> &Drive {
        &self.desk.drive
    }
}

impl Desk {
    /// Does a request and makes its answer. Every answer fits.
    fn answer(&mut self, number: u16, request: Option<Request<'_>>) -> Option<Body<ANSWERED>> {
        let done = match request {
            None => Err(Refusal::Unknown),
            Some(Request::Hello) => {
                let treedef = STRUCTURE.as_bytes();
                let reply = Reply::Structure { fingerprint: FINGERPRINT, treedef };
                return Body::new(number, |bytes| reply.write(bytes));
            }
            Some(Request::Read { fingerprint }) => own(fingerprint),
            Some(Request::Write { fingerprint, leaves }) => {
                own(fingerprint).and_then(|()| self.write(leaves))
            }
            Some(Request::Run { steps }) if steps > MOST_STEPS => {
                Err(Refusal::TooManySteps { most: MOST_STEPS })
            }
            Some(Request::Run { steps }) => {
                (0..steps).for_each(|_| self.drive.step());
                Ok(())
            }
            Some(Request::Count) => return self.counted(number),
            Some(Request::Stop) => {
                self.stopped = true;
                return self.counted(number);
            }
        };
        if let Err(refusal) = done {
            count(&mut self.counters.refused);
            return Body::new(number, |bytes| Reply::Refused(refusal).write(bytes));
        }
        let (mut leaves, mut packed) = ([0.0; LEAVES], [0; 4 * LEAVES]);
        treedef::leaves_into(&self.drive, &mut leaves).ok()?;
        let leaves = Leaves::pack(&leaves, &mut packed)?;
        let reply = Reply::Leaves { fingerprint: FINGERPRINT, leaves };
        Body::new(number, |bytes| reply.write(bytes))
    }

    /// Takes new leaves: all of them, or none.
    fn write(&mut self, new: Leaves<'_>) -> Result<(), Refusal> {
        let mut leaves = [0.0; LEAVES];
        let length = || Refusal::Length { expected: small(4 * LEAVES), found: small(new.0.len()) };
        new.unpack(&mut leaves).ok_or_else(length)?;
        if let Some(leaf) = leaves.iter().position(|leaf| !leaf.is_finite()) {
            return Err(Refusal::NotFinite { leaf: small(leaf) });
        }
        // The drive is built anew from the treedef and the leaves, and then put in the place of the old one.
        self.drive = treedef::unflatten(STRUCTURE, &leaves).map_err(|_| length())?;
        count(&mut self.counters.taken);
        Ok(())
    }

    fn counted(&self, number: u16) -> Option<Body<ANSWERED>> {
        Body::new(number, |bytes| Reply::Counters(self.counters).write(bytes))
    }
}

/// Whether a request speaks of the device's structure: eight bytes decide it.
fn own(fingerprint: u64) -> Result<(), Refusal> {
    if fingerprint == FINGERPRINT {
        Ok(())
    } else {
        Err(Refusal::OtherStructure { device: FINGERPRINT })
    }
}

fn count(counter: &mut u32) {
    *counter = counter.saturating_add(1);
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
