//! What the command lines of all commands have in common.

use std::process::ExitCode;

use lexopt::{Error, Parser, ValueExt as _};

use crate::file::Format;
use crate::style::Color;

/// What a command line asks for.
pub(crate) enum Command {
    /// To print this text.
    Help(&'static str),
    Version,
    Run(Box<dyn FnOnce() -> ExitCode>),
}

/// Reads the value of `--format`.
pub(crate) fn format(parser: &mut Parser) -> Result<Format, Error> {
    let name = parser.value()?.string()?;
    Format::from_name(&name).ok_or_else(|| format!("unknown format {name:?}").into())
}

/// Reads the value of `--color`.
pub(crate) fn color(parser: &mut Parser) -> Result<Color, Error> {
    match parser.value()?.string()?.as_str() {
        "auto" => Ok(Color::Auto),
        "always" => Ok(Color::Always),
        "never" => Ok(Color::Never),
        other => Err(format!("--color takes auto, always or never, not {other:?}").into()),
    }
}

/// Reads the value of `--sort`: whether it is the size.
pub(crate) fn by_size(parser: &mut Parser) -> Result<bool, Error> {
    match parser.value()?.string()?.as_str() {
        "key" => Ok(false),
        "size" => Ok(true),
        other => Err(format!("--sort takes key or size, not {other:?}").into()),
    }
}
