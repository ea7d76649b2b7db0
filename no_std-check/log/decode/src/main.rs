//! `decode-log ELF < FRAMES`: prints a log, one line for each message, with its level.
//!
//! The ELF file of the image has the strings; the device sent their numbers and the values.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Read};

use defmt_decoder::{DecodeError, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).ok_or("usage: decode-log ELF < FRAMES")?;
    let table = Table::parse(&fs::read(file)?)?.ok_or("the file has no strings of defmt")?;
    let mut frames = Vec::new();
    io::stdin().read_to_end(&mut frames)?;
    let mut decoder = table.new_stream_decoder();
    decoder.received(&frames);
    loop {
        match decoder.decode() {
            Ok(frame) => {
                let level = frame.level().map_or("", |level| level.as_str());
                println!("{level:<5} {}", frame.display_message());
            }
            Err(DecodeError::UnexpectedEof) => return Ok(()),
            Err(DecodeError::Malformed) => return Err("a frame is malformed".into()),
        }
    }
}
