//! The sessions with the device's own code at the other end of the line, without an emulator.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io;

use device::drive::{Drive, FINGERPRINT, LEAVES};
use device::session::Session;
use host::client::{Client, Problem};
use host::known::{OLDER, TODAY};
use host::noise::Noisy;
use host::sessions::{Verdict, noise, tune};
use host::wire::Wire;
use protocol::{AROUND, Body, Refusal, Reply, Request, stuffed_len};

/// A line with a device at its end.
struct Bench {
    device: Session,
    answers: Vec<u8>,
    /// Every second answer is lost.
    loses: bool,
    lost: bool,
}

impl Bench {
    fn new() -> Self {
        Self { device: Session::new(Drive::NEW), answers: Vec::new(), loses: false, lost: false }
    }
}

impl Wire for Bench {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        for byte in frame {
            if let Some(answer) = self.device.take(*byte) {
                self.lost = self.loses && !self.lost;
                if !self.lost {
                    self.answers.extend(answer);
                }
            }
        }
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        Ok(std::mem::take(&mut self.answers))
    }
}

#[test]
fn device_and_host_have_one_structure() {
    assert_eq!(TODAY, device::drive::STRUCTURE);
    assert_ne!(OLDER, TODAY);
}

#[test]
fn tuning_reaches_the_drive() {
    let mut bench = Bench::new();
    let edits = [".parameters.speed.kp=0.5", ".state.target=50"].map(str::to_owned);
    assert_eq!(tune(&mut bench, TODAY, &edits).unwrap(), Verdict::Same);
    let drive = bench.device.drive();
    assert_eq!((drive.parameters.speed.kp, drive.state.target), (0.5, 50.0));
    assert_eq!(drive.parameters.limits, Drive::NEW.parameters.limits);
    assert_eq!(drive.state.steps, 200.0);
    assert!(bench.device.stopped());
}

#[test]
fn bad_edits_are_explained_and_change_nothing() {
    for (edit, expected) in [
        (".parameters.speed.kx=1", "no .kx (byte 17) at .parameters.speed: has .kp, .ki"),
        (".parameters.speed=1", ".parameters.speed is no leaf"),
        (".parameters.speed.ki=inf", "device refuses: .parameters.speed.ki is not finite"),
        (".parameters.speed.ki", "an edit is PATH=VALUE"),
    ] {
        let mut bench = Bench::new();
        let error = tune(&mut bench, TODAY, &[edit.to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(bench.device.drive().parameters, Drive::NEW.parameters);
    }
}

#[test]
fn older_host_changes_nothing() {
    let mut bench = Bench::new();
    assert_eq!(tune(&mut bench, OLDER, &[]).unwrap(), Verdict::Differs);
    assert_eq!(*bench.device.drive(), Drive::NEW);
}

#[test]
fn request_whose_answer_was_lost_is_done_once() {
    let mut bench = Bench { loses: true, ..Bench::new() };
    let mut client = Client::new(&mut bench);
    let (fingerprint, _) = client.hello().unwrap();
    let mut leaves = [0.0; LEAVES];
    for steps in [3, 4] {
        client.leaves(Request::Run { steps }, fingerprint, &mut leaves).unwrap();
    }
    assert_eq!(client.tally().again, 3);
    assert_eq!(bench.device.drive().state.steps, 7.0);
}

#[test]
fn noise_of_any_seed_loses_nothing() {
    for seed in 0..300 {
        let mut line = Noisy::new(Bench::new(), seed);
        assert_eq!(noise(&mut line, TODAY).unwrap(), Verdict::Same, "seed {seed}");
    }
}

#[test]
fn unknown_message_is_refused() {
    let mut bench = Bench::new();
    let mut line = [0; stuffed_len(AROUND + 2)];
    let body = Body::<{ AROUND + 2 }>::new(1, |message| {
        message.get_mut(..2)?.copy_from_slice(&[0x60, 1]);
        Some(2)
    });
    bench.send(body.unwrap().stuff(&mut line).unwrap()).unwrap();
    let mut receiver = protocol::Receiver::<64>::new();
    let answers = std::mem::take(&mut bench.answers);
    let last = answers.iter().filter_map(|byte| {
        receiver.push(*byte).map(|frame| {
            let (number, message) = frame.unwrap();
            (number, Reply::read(message) == Some(Reply::Refused(Refusal::Unknown)))
        })
    });
    assert_eq!(last.last(), Some((1, true)));
}

/// Random bytes.
fn rubbish(dice: &mut fastrand::Rng, len: usize) -> Vec<u8> {
    (0..len).map(|_| dice.u8(..)).collect()
}

#[test]
fn rubbish_changes_nothing() {
    let (mut bench, mut dice) = (Bench::new(), fastrand::Rng::with_seed(4));
    for _ in 0..5000 {
        bench.send(&rubbish(&mut dice, 200)).unwrap();
    }
    assert_eq!(bench.answers, []);
    assert_eq!(*bench.device.drive(), Drive::NEW);
    let (fingerprint, treedef) = Client::new(&mut bench).hello().unwrap();
    assert_eq!((fingerprint, &treedef[..]), (FINGERPRINT, TODAY.as_bytes()));
}

#[test]
fn every_whole_message_is_answered() {
    let (mut bench, mut dice) = (Bench::new(), fastrand::Rng::with_seed(5));
    let mut line = [0; stuffed_len(128)];
    for number in 1..20_000 {
        let len = if dice.bool() { Request::max_len(LEAVES) } else { dice.usize(..64) };
        let mut message = rubbish(&mut dice, len);
        if let Some(tag) = message.first_mut() {
            *tag %= 8;
        }
        if let (true, Some(fingerprint)) = (dice.bool(), message.get_mut(1..9)) {
            fingerprint.copy_from_slice(&FINGERPRINT.to_le_bytes());
        }
        let body = Body::<128>::new(number, |bytes| {
            bytes.get_mut(..message.len())?.copy_from_slice(&message);
            Some(message.len())
        });
        bench.send(body.unwrap().stuff(&mut line).unwrap()).unwrap();
        let answer = std::mem::take(&mut bench.answers);
        let mut receiver = protocol::Receiver::<512>::new();
        let answered = answer.iter().find_map(|byte| {
            let (number, message) = receiver.push(*byte)?.unwrap();
            Some((number, Reply::read(message).is_some()))
        });
        assert_eq!(answered, Some((number, true)), "{message:02x?}");
        let mut leaves = [0.0f32; 6];
        treedef::leaves_into(&bench.device.drive().parameters, &mut leaves).unwrap();
        assert!(leaves.iter().all(|leaf| leaf.is_finite()), "{message:02x?}");
    }
}

#[test]
fn more_steps_than_the_device_runs_at_once_are_refused() {
    let mut bench = Bench::new();
    let mut client = Client::new(&mut bench);
    let mut leaves = [0.0; LEAVES];
    let problem = client.leaves(Request::Run { steps: u32::MAX }, FINGERPRINT, &mut leaves);
    let text = problem.unwrap_err().to_string();
    assert_eq!(text, "device refuses: it runs at most 10000 steps for one request");
    assert_eq!(bench.device.drive().state.steps, 0.0);
}

/// A device that answers every request with the same bytes as its structure.
struct Liar {
    number: u16,
    fingerprint: u64,
    treedef: Vec<u8>,
}

impl Wire for Liar {
    fn send(&mut self, _: &[u8]) -> io::Result<()> {
        self.number += 1;
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        let reply = Reply::Structure { fingerprint: self.fingerprint, treedef: &self.treedef };
        let mut line = [0; stuffed_len(512)];
        let body = Body::<512>::new(self.number, |message| reply.write(message)).unwrap();
        Ok(body.stuff(&mut line).unwrap().to_vec())
    }
}

#[test]
fn treedef_of_a_liar_is_checked() {
    let lie = |fingerprint, treedef: &[u8]| {
        let mut liar = Liar { number: 0, fingerprint, treedef: treedef.to_vec() };
        tune(&mut liar, TODAY, &[]).unwrap_err().to_string()
    };
    let honest = TODAY.as_bytes();
    assert_eq!(lie(FINGERPRINT, honest), Problem::Misunderstood.to_string());
    assert_eq!(lie(FINGERPRINT ^ 1, honest), "the device's fingerprint is not that of its treedef");
    assert_eq!(lie(FINGERPRINT, &[0xFF]), "node kind 7 is unknown at byte 0");
    for end in 0..honest.len() {
        let text = lie(FINGERPRINT, &honest[..end]);
        assert!(text.contains("bytes end before"), "{text}");
    }
    let mut dice = fastrand::Rng::with_seed(3);
    for _ in 0..2000 {
        let mut treedef = honest.to_vec();
        treedef[dice.usize(..honest.len())] ^= 1 << dice.u8(..8);
        lie(FINGERPRINT, &treedef);
    }
}
