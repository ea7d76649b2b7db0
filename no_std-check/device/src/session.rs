//! The device's side of the conversation.

use crate::drive::{Drive, FINGERPRINT, LEAVES, STRUCTURE};
use crate::line::{Action, Answer, Bytes, Frame, Leaves, Receiver, Refusal, Reply, Request, frame};

/// Control steps that one request may ask for: ten seconds of the drive.
const MOST_STEPS: u32 = 10_000;

/// Takes what comes over the line byte by byte, and makes the answers.
#[derive(Debug, Default)]
pub struct Session {
    /// What the session is about.
    pub drive: Drive,
    /// Whether the host asked to end the program.
    pub stopped: bool,
    receiver: Receiver,
    /// The number of the request that was done last, and its answer.
    last: Option<(u32, Frame)>,
}

impl Session {
    /// Takes a byte. The answer is what to send, if the byte ends a request.
    ///
    /// A damaged frame gets no answer, and the host sends the request again. A request with the number of the last one is
    /// that one again, because its answer was lost: it is not done a second time and gets the same answer.
    pub fn take(&mut self, byte: u8) -> Option<&[u8]> {
        let (number, message) = self.receiver.push(byte)?;
        let request = postcard::from_bytes(message).ok();
        if self.last.as_ref().is_none_or(|(last, _)| *last != number) {
            let reply = request.ok_or(Refusal::Unknown).and_then(|request| self.answer(request));
            self.last = frame(number, &reply).map(|frame| (number, frame));
        }
        self.last.as_ref().map(|(_, frame)| frame.as_slice())
    }

    fn answer(&mut self, Request { structure, action }: Request) -> Reply {
        if action == Action::Hello {
            let bytes = Bytes::from_slice(STRUCTURE.as_bytes()).unwrap_or_default();
            return Ok(Answer::Structure(bytes));
        }
        if structure != FINGERPRINT {
            return Err(Refusal::OtherStructure(FINGERPRINT));
        }
        match action {
            Action::Write(leaves) => {
                if let Some(leaf) = leaves.iter().position(|leaf| !leaf.is_finite()) {
                    return Err(Refusal::NotFinite(leaf as u32));
                }
                // All leaves or none: a new drive, which then replaces the old one.
                self.drive = treedef::unflatten(STRUCTURE, &leaves)
                    .map_err(|_| Refusal::Count(LEAVES as u32))?;
            }
            Action::Run { steps } if steps > MOST_STEPS => {
                return Err(Refusal::TooManySteps(MOST_STEPS));
            }
            Action::Run { steps } => (0..steps).for_each(|_| self.drive.step()),
            Action::Stop => self.stopped = true,
            Action::Hello | Action::Read => {}
        }
        let mut leaves = [0.0; LEAVES];
        treedef::leaves_into(&self.drive, &mut leaves).map_err(|_| Refusal::Unknown)?;
        Ok(Answer::Leaves(Leaves::from_slice(&leaves).unwrap_or_default()))
    }
}

// Treedef and leaves of the device fit into messages.
const _: () = assert!(STRUCTURE.as_bytes().len() <= 256 && LEAVES <= 24);
