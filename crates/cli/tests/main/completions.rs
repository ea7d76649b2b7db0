//! The completions of shells, which `clap` makes of the tool's help texts, and the pages of the manual, which are these texts in the
//! markup of `man`.
//!
//! `WRITE=files cargo test -p treedef-cli --test main completions` writes the files.

use std::fmt::Write as _;
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
        None if value == "PAGE" => arg.value_hint(ValueHint::AnyPath),
        None => arg.value_hint(ValueHint::Other),
    }
}

/// The parts of a help text.
struct Help {
    about: String,
    usage: String,
    description: String,
    /// The options, each with its value if it has one, and its text.
    options: Vec<(String, String)>,
    examples: String,
    status: String,
}

/// Reads what a command prints with `--help`.
fn help(name: &str) -> Help {
    let help = output(&[name, "--help"]);
    let (about, rest) = help.split_once("\n\nusage: ").unwrap();
    let (usage, rest) = rest.split_once("\n\n").unwrap();
    let (description, rest) = rest.split_once("\n\noptions:\n").unwrap();
    let (options, rest) = rest.split_once("\n\nexamples:\n").unwrap();
    let (examples, status) = rest.split_once("\n\nExit status").unwrap();
    let status = status.trim_start_matches([':', ',', ' ']);
    let [about, usage, description, examples, status] =
        [about, usage, description, examples, status].map(str::to_owned);
    Help { about, usage, description, options: entries(options), examples, status }
}

/// The entries of a list: `  head   text`, in which lines that begin later are more of the text.
fn entries(list: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in list.lines() {
        let line = line.strip_prefix("  ").unwrap();
        if line.starts_with(' ') {
            let text = &mut found.last_mut().unwrap().1;
            *text = format!("{text} {}", line.trim()).trim().to_owned();
        } else {
            let (head, text) = line.split_once("  ").unwrap_or((line, ""));
            // A head that is long has one space after it.
            let (head, text) = match head.strip_prefix("--").and_then(|_| line.get(15..)) {
                Some(text) if line.as_bytes()[14] == b' ' => (&line[..14], text),
                _ => (head, text),
            };
            found.push((head.trim().into(), text.trim().into()));
        }
    }
    found
}

/// A command of the tool.
fn command(name: &'static str) -> Command {
    let Help { about, usage, options, .. } = help(name);
    let files = usage.rsplit_once(']').unwrap().1.split_whitespace();
    let file = |name: &str| {
        let file = Arg::new(name.trim_end_matches('.').to_owned()).value_hint(ValueHint::AnyPath);
        if name.ends_with("..") { file.num_args(1..) } else { file }
    };
    Command::new(name)
        .about(about)
        .disable_help_flag(true)
        .args(options.into_iter().map(|(head, text)| option(&head, text)))
        .args(files.map(file))
}

/// The tool. Without a command it inspects. To zsh a file before a command would take its place.
fn tool(shell: Shell) -> Command {
    let inspect = command("inspect");
    let is_known = |arg: &&Arg| !arg.is_positional() || shell != Shell::Zsh;
    let version = Arg::new("version").long("version").short('V').help("print the version");
    let of = Arg::new("COMMAND").value_parser(["inspect", "diff"]);
    Command::new("treedef")
        .about("Shows the tree in a file, and how the trees of two files differ")
        .args(inspect.get_arguments().filter(is_known).cloned())
        .arg(version.action(ArgAction::SetTrue))
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .subcommands(["inspect", "diff"].map(command))
        .subcommand(Command::new("help").about("Prints the help of a command").arg(of))
}

/// A text in the markup of `man`.
fn roff(text: &str) -> String {
    let mut out = String::new();
    for line in text.replace('\\', "\\e").replace('-', "\\-").replace('×', "\\(mu").lines() {
        // These begin a request.
        let is_request = line.starts_with(['.', '\'']);
        writeln!(out, "{}{line}", if is_request { "\\&" } else { "" }).unwrap();
    }
    out
}

/// The paragraphs of a text, and its lists: paragraphs of which each line begins with two spaces.
fn paragraphs(text: &str) -> String {
    let blocks = text.split("\n\n").map(|block| match block.starts_with("  ") {
        true => list(&entries(block)),
        false => format!(".PP\n{}", roff(block)),
    });
    blocks.collect()
}

fn list(entries: &[(String, String)]) -> String {
    let entry = |(head, text): &(String, String)| {
        let (name, value) = match head.split_once(' ') {
            Some((name, value)) if name.starts_with("--") => (name, format!(" \\fI{value}\\fR")),
            _ => (head.as_str(), String::new()),
        };
        let name = roff(name);
        format!(".TP\n\\fB{}\\fR{value}\n{}", name.trim_end(), roff(text))
    };
    entries.iter().map(entry).collect()
}

/// A page of the manual: its sections, and other pages.
fn page(name: &str, about: &str, sections: &[(&str, String)], others: &[&str]) -> Vec<u8> {
    let title = name.to_uppercase();
    let version = env!("CARGO_PKG_VERSION");
    let mut out =
        format!(".TH {} 1 \"\" \"treedef {version}\"\n.SH NAME\n", roff(&title).trim_end());
    let mut about = about.trim_end_matches('.').to_owned();
    about[..1].make_ascii_lowercase();
    write!(out, "{} \\- {}", roff(name).trim_end(), roff(&about)).unwrap();
    for (title, text) in sections {
        write!(out, ".SH {title}\n{text}").unwrap();
    }
    let others: Vec<_> =
        others.iter().map(|name| format!(".BR {} (1)", roff(name).trim_end())).collect();
    writeln!(out, ".SH SEE ALSO\n{}", others.join(",\n")).unwrap();
    out.into_bytes()
}

/// What is typed and printed, line by line.
fn example(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_start).collect();
    format!(".EX\n{}.EE\n", roff(&lines.join("\n")))
}

/// The page of a command.
fn page_of(name: &str, others: &[&str]) -> Vec<u8> {
    let help = help(name);
    let sections = [
        ("SYNOPSIS", example(&help.usage)),
        ("DESCRIPTION", paragraphs(&help.description)),
        ("OPTIONS", list(&help.options)),
        ("EXAMPLES", example(&help.examples)),
        ("EXIT STATUS", roff(&help.status)),
    ];
    page(&format!("treedef-{name}"), &help.about, &sections, others)
}

/// The page of the tool.
fn page_of_tool() -> Vec<u8> {
    let help = output(&["help"]);
    let (usage, rest) = help.strip_prefix("usage: ").unwrap().split_once("\n\n").unwrap();
    let (commands, rest) = rest.split_once("\n\nexamples:\n").unwrap();
    let (examples, more) = rest.split_once("\n\n").unwrap();
    let commands: String = commands.lines().map(|line| format!("  {line}\n")).collect();
    let sections = [
        ("SYNOPSIS", example(usage)),
        ("COMMANDS", list(&entries(&commands))),
        ("EXAMPLES", example(examples)),
        ("OPTIONS", roff(&more.replace('`', ""))),
    ];
    let about = "Shows the tree in a file, and how the trees of two files differ";
    page("treedef", about, &sections, &["treedef-inspect", "treedef-diff"])
}

/// The files, each with what it has to contain.
fn files() -> Vec<(String, Vec<u8>)> {
    let completions = [Shell::Bash, Shell::Zsh, Shell::Fish].map(|shell| {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut tool(shell), "treedef", &mut text);
        let name = match shell {
            Shell::Bash => "treedef.bash",
            Shell::Zsh => "_treedef",
            _ => "treedef.fish",
        };
        (format!("completions/{name}"), text)
    });
    let pages = [
        ("treedef", page_of_tool()),
        ("treedef-inspect", page_of("inspect", &["treedef", "treedef-diff"])),
        ("treedef-diff", page_of("diff", &["treedef", "treedef-inspect"])),
    ];
    let pages = pages.map(|(name, page)| (format!("man/{name}.1"), page));
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

/// A page that `man` would show as one paragraph is not read.
#[test]
fn pages_of_the_manual_have_paragraphs_lists_and_examples() {
    let pages: Vec<_> = files().into_iter().filter(|(name, _)| name.starts_with("man/")).collect();
    assert_eq!(pages.len(), 3);
    for (name, text) in pages {
        let text = String::from_utf8(text).unwrap();
        assert!(text.is_ascii(), "{name}");
        for part in
            [".SH SYNOPSIS\n.EX\ntreedef ", ".SH EXAMPLES\n.EX\ntreedef ", ".SH SEE ALSO\n.BR "]
        {
            assert!(text.contains(part), "{name} has no {part}");
        }
        assert_eq!(text.matches(".EX\n").count(), text.matches(".EE\n").count(), "{name}");
        if name.contains("inspect") {
            for part in [
                ".TP\n\\fB\\&.npy, .eqx\\fR\nan array of NumPy, or a list of several: leaves of Equinox\n",
                ".TP\n\\fB\\-\\-depth\\fR \\fIN\\fR\nshow N levels\n",
                "\n.PP\nEqual neighbours share a row: ",
            ] {
                assert!(text.contains(part), "{part} {text}");
            }
        }
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
