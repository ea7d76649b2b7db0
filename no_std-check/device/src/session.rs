//! The device's side of the conversation.

use treedef::record::frame::{frame_bytes, frame_into, read_frame};

use crate::drive::{Drive, KEY, SCHEMA};
use crate::line::{Action, Answer, Frame, Receiver, Refusal, Reply, Request, Schema, Value, frame};

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

    fn answer(&mut self, Request { key, action }: Request) -> Reply {
        match action {
            Action::Hello => return Ok(Answer::Key(KEY)),
            Action::Schema => {
                let bytes = Schema::from_slice(SCHEMA.as_bytes()).unwrap_or_default();
                return Ok(Answer::Schema(bytes));
            }
            _ if key != KEY => return Err(Refusal::OtherKey(KEY)),
            Action::Write(value) => {
                // All leaves or none: a new drive, which then replaces the old one.
                let drive = read_frame(&value).map_err(|_| Refusal::Damaged)?;
                if let Some(leaf) = not_finite(&drive) {
                    return Err(Refusal::NotFinite(leaf));
                }
                self.drive = drive;
            }
            Action::Run { steps } if steps > MOST_STEPS => {
                return Err(Refusal::TooManySteps(MOST_STEPS));
            }
            Action::Run { steps } => (0..steps).for_each(|_| self.drive.step()),
            Action::Stop => self.stopped = true,
            Action::Read => {}
        }
        let mut bytes = [0; frame_bytes::<Drive>()];
        let len = frame_into(&self.drive, &mut bytes).map_err(|_| Refusal::Unknown)?;
        Ok(Answer::Value(
            Value::from_slice(bytes.get(..len).unwrap_or_default()).unwrap_or_default(),
        ))
    }
}

/// The index of the first leaf that is no number.
fn not_finite(drive: &Drive) -> Option<u32> {
    let (mut index, mut found) = (0, None);
    let walk = treedef::over(drive).for_each(|leaf: &f32| {
        if !leaf.is_finite() {
            found.get_or_insert(index);
        }
        index += 1;
    });
    found.filter(|_| walk.is_ok())
}

// Schema and value of the device fit into messages.
const _: () = assert!(SCHEMA.as_bytes().len() <= 512 && frame_bytes::<Drive>() <= 96);
