//! The sessions with the device's own code at the other end of the line, without an emulator.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::VecDeque;
use std::io;

use device::drive::{Drive, KEY, SCHEMA};
use device::line::{Action, Answer, Receiver, Refusal, Reply, Request, Schema, frame};
use device::session::Session;
use fastrand::Rng;

use treedef::tree::leaf_mut;

use crate::client::{Client, Problem, Wire};
use crate::noise::Noisy;
use crate::{DRIVE, Known, OLDER, sent, tune};

/// A line with a device at its end.
#[derive(Default)]
struct Bench {
    device: Session,
    answers: VecDeque<u8>,
    /// The number of bytes after which the line is cut, if it is.
    cut_after: Option<usize>,
    passed: usize,
}

impl Bench {
    fn passes(&mut self) -> bool {
        self.passed += 1;
        self.cut_after.is_none_or(|most| self.passed <= most)
    }
}

impl Wire for Bench {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        for byte in frame {
            if self.passes() {
                self.answers.extend(self.device.take(*byte).unwrap_or_default());
            }
        }
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Option<u8>> {
        let byte = self.answers.pop_front();
        Ok(byte.filter(|_| self.passes()))
    }
}

/// The number of leaves of a drive.
const LEAVES: usize = 10;

fn random_bytes(dice: &mut Rng, len: usize) -> Vec<u8> {
    (0..len).map(|_| dice.u8(..)).collect()
}

/// The frames in a stream of bytes.
fn frames(stream: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut receiver = Receiver::default();
    let owned = |byte: &u8| receiver.push(*byte).map(|(number, rest)| (number, rest.to_vec()));
    stream.iter().filter_map(owned).collect()
}

#[test]
fn frame_is_as_documented() {
    // The check value of CRC-32C is that of the nine digits.
    let expected = [b"\x0E123456789".as_slice(), &[0x83, 0x92, 0x06, 0xE3, 0x00]].concat();
    assert_eq!(frame(u32::from(b'1'), b"23456789").unwrap().as_slice(), expected);
}

#[test]
fn frame_after_any_zero_byte_is_received() {
    let (mut dice, mut longest) = (Rng::with_seed(1), 0);
    for number in 0..20_000 {
        let (before, len) = (dice.usize(..900), dice.usize(..600));
        let (mut stream, message) = (random_bytes(&mut dice, before), random_bytes(&mut dice, len));
        stream.push(0);
        let Some(frame) = frame(number, &message[..]) else { continue };
        longest = longest.max(len);
        stream.extend(frame);
        let [(found, received)] = &frames(&stream)[..] else { panic!("not one frame") };
        assert!(*found == number && received.ends_with(&message), "{message:02x?}");
    }
    assert!((512..540).contains(&longest), "{longest}");
}

#[test]
fn two_flipped_bits_and_cuts_are_found() {
    let [whole, next] = [b"\0leaf1", b"\0leaf2"].map(|message| frame(7, message).unwrap());
    for first in 0..8 * whole.len() {
        for second in first..8 * whole.len() {
            let mut stream = whole.to_vec();
            stream[first / 8] ^= 1 << (first % 8);
            if second > first {
                stream[second / 8] ^= 1 << (second % 8);
            }
            stream.push(0);
            stream.extend(&next);
            assert_eq!(frames(&stream), [(7, b"\0leaf2".to_vec())], "{first} {second}");
        }
    }
    for cut in 0..whole.len() - 1 {
        let stream = [&whole[..cut], &[0], &next].concat();
        assert_eq!(frames(&stream), [(7, b"\0leaf2".to_vec())], "{cut}");
    }
}

#[test]
fn tuning_reaches_the_drive() {
    let mut bench = Bench::default();
    let edits = [".parameters.speed.kp=0.5", ".state.target=50"].map(str::to_owned);
    assert!(tune(&mut bench, &DRIVE, &edits).unwrap());
    let mut expected = Drive::default();
    (0..100).for_each(|_| expected.step());
    (expected.parameters.speed.kp, expected.state.target) = (0.5, 50.0);
    (0..100).for_each(|_| expected.step());
    assert_eq!(bench.device.drive, expected);
    assert!(bench.device.stopped);
}

#[test]
fn bad_edits_are_explained_and_change_nothing() {
    for (edit, expected) in [
        (".parameters.speed.kx=1", "no .kx (byte 17) at .parameters.speed: has .kp, .ki"),
        (".parameters.speed=1", ".parameters.speed is no leaf"),
        (".parameters.speed.ki=inf", "device refuses: .parameters.speed.ki is not finite"),
        (".parameters.speed.ki", "an edit is PATH=VALUE"),
    ] {
        let mut bench = Bench::default();
        let error = tune(&mut bench, &DRIVE, &[edit.to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(bench.device.drive.parameters, Drive::default().parameters);
    }
}

#[test]
fn next_host_is_answered_as_the_first() {
    let mut bench = Bench::default();
    for steps in [3.0, 6.0] {
        let mut client = Client::new(&mut bench);
        assert_eq!(client.hello().unwrap(), KEY);
        client.value(Action::Run { steps: 3 }).unwrap();
        assert_eq!(bench.device.drive.state.steps, steps);
    }
}

#[test]
fn older_host_changes_nothing() {
    let mut bench = Bench::default();
    assert!(!tune(&mut bench, &OLDER, &[]).unwrap());
    assert_eq!(bench.device.drive, Drive::default());
}

/// Makes requests at random, some of them wrong, and compares every answer and the device with a drive on this side of the
/// line. A request that gets no answer is done once or not at all.
fn random_requests(line: &mut Noisy<Bench>, dice: &mut Rng) -> Result<(), Problem> {
    let (mut client, mut drive) = (Client::new(line), Drive::default());
    assert_eq!(client.hello()?, KEY);
    assert_eq!(client.schema()?, SCHEMA.as_bytes());
    for _ in 0..100 {
        let (mut value, mut after) = (sent(&drive), drive);
        let leaf = dice.usize(..LEAVES);
        client.key = KEY;
        let (action, refusal) = match dice.u8(..8) {
            0 => {
                *leaf_mut(&mut after, leaf).unwrap() =
                    if dice.bool() { f32::NAN } else { f32::INFINITY };
                value = sent(&after);
                after = drive;
                (Action::Write(value), Some(Refusal::NotFinite(leaf as u32)))
            }
            1 => {
                value.truncate(dice.usize(..value.len()));
                (Action::Write(value), Some(Refusal::Damaged))
            }
            2 => {
                client.key ^= 1 << dice.u8(..64);
                (Action::Write(value), Some(Refusal::OtherKey(KEY)))
            }
            3 => (Action::Run { steps: u32::MAX }, Some(Refusal::TooManySteps(10_000))),
            4 | 5 => {
                let steps = dice.u32(1..20);
                (0..steps).for_each(|_| after.step());
                (Action::Run { steps }, None)
            }
            _ => {
                *leaf_mut(&mut after, leaf).unwrap() = dice.f32() * 1e3;
                (Action::Write(sent(&after)), None)
            }
        };
        match (client.value(action), refusal) {
            (Ok(value), None) => assert_eq!(value, sent(&after)),
            (Err(Problem::Refused(found)), Some(refusal)) => assert_eq!(found, refusal),
            (Err(Problem::Silent), _) => {
                let device = client.wire.wire.device.drive;
                assert!(device == drive || device == after, "{device:?}");
                return Err(Problem::Silent);
            }
            (answer, refusal) => panic!("{answer:?} is not {refusal:?}"),
        }
        drive = after;
        assert_eq!(client.wire.wire.device.drive, drive);
    }
    Ok(())
}

#[test]
fn noise_of_any_seed_loses_nothing() {
    for seed in 0..100 {
        for every in [0, 1, 3, 10] {
            let mut line = Noisy::new(Bench::default(), every, seed);
            random_requests(&mut line, &mut Rng::with_seed(seed)).unwrap();
        }
    }
}

#[test]
fn cut_line_ends_with_a_clean_error() {
    for cut_after in 0..1000 {
        let bench = Bench { cut_after: Some(cut_after), ..Bench::default() };
        let mut line = Noisy::new(bench, 5, cut_after as u64);
        let end = random_requests(&mut line, &mut Rng::with_seed(6));
        assert!(matches!(end, Err(Problem::Silent)), "{cut_after}");
    }
}

#[test]
fn random_bytes_change_nothing() {
    let (mut bench, mut dice) = (Bench::default(), Rng::with_seed(4));
    bench.send(&random_bytes(&mut dice, 1_000_000)).unwrap();
    assert_eq!((bench.answers.len(), bench.device.drive), (0, Drive::default()));
    assert_eq!(Client::new(&mut bench).hello().unwrap(), KEY);
}

#[test]
fn every_whole_frame_is_answered() {
    let (mut bench, mut dice) = (Bench::default(), Rng::with_seed(5));
    let mut unknown = 0;
    for number in 1..20_000 {
        // Half of the requests name the device's key; six of the eight actions exist.
        let key = if dice.bool() { KEY } else { dice.u64(..) };
        let (action, len) = (dice.u8(..8), if dice.bool() { 41 } else { dice.u8(..60) });
        let mut rest: [u8; 32] = std::array::from_fn(|_| dice.u8(..));
        rest[0] = KEY.to_le_bytes()[0];
        bench.send(&frame(number, &(key, action, len, rest, rest)).unwrap()).unwrap();
        let answers = std::mem::take(&mut bench.answers);
        let [(found, reply)] = &frames(&Vec::from(answers))[..] else {
            panic!("not one answer to {number}")
        };
        let reply: Reply = postcard::from_bytes(reply).unwrap();
        assert_eq!(*found, number);
        unknown += u32::from(reply == Err(Refusal::Unknown));
        let parameters = bench.device.drive.parameters;
        treedef::over(&parameters).for_each(|leaf: &f32| assert!(leaf.is_finite())).unwrap();
    }
    assert!((1000..19_000).contains(&unknown), "{unknown}");
    assert_ne!(bench.device.drive.parameters, Drive::default().parameters);
}

/// A device that has another key, and answers every other request with these bytes as its schema.
struct Liar(Schema, VecDeque<u8>);

impl Wire for Liar {
    fn send(&mut self, request: &[u8]) -> io::Result<()> {
        let (number, message) = frames(request).remove(0);
        let Request { action, .. } = postcard::from_bytes(&message).unwrap();
        let answer = match action {
            Action::Hello => Answer::Key(!KEY),
            _ => Answer::Schema(self.0.clone()),
        };
        self.1.extend(frame(number, &Reply::Ok(answer)).unwrap());
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Option<u8>> {
        Ok(self.1.pop_front())
    }
}

#[test]
fn schema_of_a_liar_is_checked() {
    let lie = |schema: &[u8]| {
        let mut liar = Liar(Schema::from_slice(schema).unwrap(), VecDeque::new());
        tune(&mut liar, &Known { key: KEY, ..DRIVE }, &[]).unwrap_err().to_string()
    };
    let mut honest = SCHEMA.as_bytes().to_vec();
    assert_eq!(lie(&honest), "answer is not the one to this request");
    for end in 0..honest.len() {
        let text = lie(&honest[..end]);
        assert!(text.contains("bytes end before"), "{text}");
    }
    for bit in 0..8 * honest.len() {
        honest[bit / 8] ^= 1 << (bit % 8);
        lie(&honest);
        honest[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn host_in_python_reads_what_the_device_sends() {
    let mut bench = Bench::default();
    let actions = [Action::Hello, Action::Schema, Action::Run { steps: 100 }];
    for (number, action) in (0..).zip(actions) {
        let request = Request { key: KEY, action };
        bench.send(&frame(number, &request).unwrap()).unwrap();
    }
    let recorded: &[u8] = include_bytes!("../../../crates/python/examples/drive.bin");
    assert_eq!(bench.answers, recorded);
}
