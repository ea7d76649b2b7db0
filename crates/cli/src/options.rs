//! What the command lines of all commands have in common.

use std::process::ExitCode;

use lexopt::{Arg, Error, Parser, ValueExt as _};

use crate::file::{FORMATS, Format};
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
    let names = FORMATS.iter().map(|(name, _)| *name);
    let unknown = || format!("unknown format {name:?}{}", did_you_mean(&name, names));
    Format::from_name(&name).ok_or_else(|| unknown().into())
}

/// Returns the error on an argument that a command does not take. Its help has the options that it takes.
pub(crate) fn unexpected(arg: Arg<'_>, help: &'static str) -> Error {
    let Arg::Long(name) = arg else { return arg.unexpected() };
    let lines = help.lines().filter_map(|line| line.strip_prefix("  --"));
    let options = lines.filter_map(|line| line.split_whitespace().next());
    let like = did_you_mean(name, options);
    let like = like.replace("did you mean ", "did you mean --");
    format!("invalid option '--{name}'{like}").into()
}

/// Returns the question whether another word was meant, if one is like it.
pub(crate) fn did_you_mean<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> String {
    let near = known.map(|known| (distance(word, known), known)).min();
    // Of three letters one may be wrong, of six two.
    let is_like =
        |(wrong, known): &(usize, &str)| *wrong <= 3.min(known.chars().count().max(1) / 3);
    let like = near.filter(is_like).filter(|(wrong, _)| *wrong > 0);
    like.map_or(String::new(), |(_, known)| format!("; did you mean {known}?"))
}

/// Returns the number of letters that were left out, added, changed, or exchanged with the next one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (at, letter) in a.iter().enumerate() {
        let mut row = vec![at + 1];
        for (to, other) in b.iter().enumerate() {
            let changed = rows[at][to] + usize::from(letter != other);
            let mut least = changed.min(row[to] + 1).min(rows[at][to + 1] + 1);
            if at > 0 && to > 0 && *letter == b[to - 1] && *other == a[at - 1] {
                least = least.min(rows[at - 1][to - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
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
