//! The completions of shells and the pages of the manual are what `clap` makes of the tool's help texts.
//!
//! `WRITE=files cargo test -p treedef-cli --test main completions` writes the files.

use std::fs;
use std::path::Path;

use clap::builder::ValueHint;
use clap::{Arg, ArgAction, Command};
use clap_complete::Shell;

use super::{output, treedef};

/// The values that an option takes, where they are few.
const VALUES: [(&str, &[&str]); 2] =
    [("color", &["always", "never", "auto"]), ("sort", &["size", "key"])];

/// An option, from its lines in the help: `  --name VALUE  text`.
fn option(head: &str, text: String) -> Arg {
    let (name, value) = head.split_once(' ').unwrap_or((head, ""));
    let name = name.strip_prefix("--").unwrap().to_owned();
    // `--format` has its values in its text.
    let listed = text.split_once(" as ").and_then(|(_, rest)| rest.split_once(", whatever"));
    let listed = listed.map(|(values, _)| values.replace(" or ", ", "));
    let arg = Arg::new(name.clone()).long(name.clone()).help(text);
    let arg = if name == "help" { arg.short('h') } else { arg };
    if value.is_empty() {
        return arg.action(ArgAction::SetTrue);
    }
    // `--sort size` has its value in the help.
    let arg = arg.value_name(value.to_uppercase()).action(ArgAction::Append);
    let known = VALUES.iter().find(|(of, _)| *of == name).map(|(_, values)| values.to_vec());
    let values = listed.as_ref().map(|values| values.split(", ").collect()).or(known);
    match values {
        Some(values) => {
            let values = values.into_iter().map(str::to_owned);
            arg.value_parser(clap::builder::PossibleValuesParser::new(values))
        }
        None => arg.value_hint(ValueHint::Other),
    }
}

/// A command, from what it prints with `--help`.
fn command(name: &'static str) -> Command {
    let help = output(&[name, "--help"]);
    let (about, rest) = help.split_once("\n\nusage: ").unwrap();
    let (usage, rest) = rest.split_once("\n\n").unwrap();
    let (description, rest) = rest.split_once("\n\noptions:\n").unwrap();
    let (options, after) = rest.split_once("\n\n").unwrap();
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in options.lines() {
        // The text of an option begins in one column.
        match line.strip_prefix("  --") {
            Some(_) => {
                let (head, text) = line.split_at(17);
                found.push((head.trim(), text.trim().into()));
            }
            None => found.last_mut().unwrap().1 += &format!(" {}", line.trim()),
        }
    }
    let files = usage.rsplit_once(']').unwrap().1.split_whitespace();
    Command::new(name)
        .about(about.to_owned())
        .long_about(format!("{about}\n\n{description}"))
        .after_help(after.to_owned())
        .disable_help_flag(true)
        .args(found.into_iter().map(|(head, text)| option(head, text)))
        .args(
            files.map(|name| {
                Arg::new(name.to_owned()).required(true).value_hint(ValueHint::AnyPath)
            }),
        )
}

fn tool() -> Command {
    Command::new("treedef")
        .about("Shows the tree in a file, and how the trees of two files differ")
        .args(["help", "version"].map(|name| {
            let short = if name == "help" { 'h' } else { 'V' };
            let text = format!("print the {name}");
            Arg::new(name).long(name).short(short).help(text).action(ArgAction::SetTrue)
        }))
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .subcommands(["inspect", "diff"].map(command))
}

/// The files, each with what it has to contain.
fn files() -> Vec<(String, Vec<u8>)> {
    let completions = [Shell::Bash, Shell::Zsh, Shell::Fish].map(|shell| {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut tool(), "treedef", &mut text);
        let name = match shell {
            Shell::Bash => "treedef.bash",
            Shell::Zsh => "_treedef",
            _ => "treedef.fish",
        };
        (format!("completions/{name}"), text)
    });
    let pages = ["treedef", "treedef-inspect", "treedef-diff"].map(|name| {
        let mut tool = tool();
        tool.build();
        let page = match name.split_once('-') {
            Some((_, command)) => tool.find_subcommand(command).unwrap().clone().display_name(name),
            None => tool,
        };
        let mut text = Vec::new();
        let page = clap_mangen::Man::new(page.bin_name(name.replace('-', " "))).title(name);
        page.render(&mut text).unwrap();
        (format!("man/{name}.1"), text)
    });
    completions.into_iter().chain(pages).collect()
}

#[test]
fn completions_and_manual_are_as_the_help_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, text) in files() {
        let path = root.join(&name);
        if std::env::var("WRITE").is_ok_and(|what| what == "files") {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let found = fs::read(&path).unwrap_or_default();
        assert!(
            found == text,
            "{name} is not what the help says: see the first lines of this test"
        );
    }
}

/// What is completed is what the tool takes: no value is refused because of its option.
#[test]
fn every_completed_value_is_taken() {
    for (option, values) in VALUES {
        for value in values {
            let run = treedef(&["inspect", &format!("--{option}"), value, "missing.json"]);
            assert_eq!(run.code, Some(1), "--{option} {value}: {}", run.err);
        }
        let run = treedef(&["inspect", &format!("--{option}"), "xyz", "missing.json"]);
        assert_eq!(run.code, Some(2), "--{option}");
    }
}
