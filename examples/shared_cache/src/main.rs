//! Compiled code that processes share: the second process compiles nothing.
//!
//! ```text
//! shared_cache [--store PLACE]               runs six calls twice, with the code of the store where it has it
//! shared_cache [--store PLACE] list          lists what is stored
//! shared_cache [--store PLACE] explain KEY   prints a key by the front of its name, and how the nearest key differs
//! shared_cache [--store PLACE] prune BYTES   removes what was used longest ago
//! ```
//!
//! A place is a directory, or a URL: `memory:///`, or, with the feature `s3`, `s3://bucket/prefix` with the variables
//! `AWS_ENDPOINT`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, without TLS, `AWS_ALLOW_HTTP=true`. A server on
//! this machine is `minio server DIRECTORY`, or `moto_server -p 9000` of `pip install 'moto[s3,server]'`, which keeps everything
//! in memory: `curl -X PUT http://127.0.0.1:9000/bucket` makes a bucket.
//!
//! In front of the store each thread has a table of the code that it has loaded, a [`treedef::cache::Known`]: the key and its hash are made
//! for a call that this thread has not made before.

mod calls;
mod compiler;
mod store;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use calls::{Arguments, Loaded, Vector};
use compiler::Compiler;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore};
use store::{Limits, Shared, age};

/// The calls of the program: function, elements and factor.
const CALLS: [(&str, usize, f32); 6] = [
    ("scale_add", 1000, 0.5),
    ("scale_add", 1000, 0.25),
    ("scale_add", 1024, 0.5),
    ("scale_mul", 1000, 0.5),
    ("scale_mul", 7, 3.0),
    ("scale_add", 0, 1.0),
];

type Done = Result<(), Box<dyn Error>>;

/// Prints a line. Whoever reads it may stop when it has seen enough.
macro_rules! say {
    ($($text:tt)*) => {
        _ = writeln!(stdout(), $($text)*)
    };
}

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("shared_cache: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Done {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut place = None;
    if arguments.first().is_some_and(|first| first == "--store") && arguments.len() > 1 {
        place = Some(arguments.remove(1));
        arguments.remove(0);
    }
    let warn = |text: &str| eprintln!("warning: {text}");
    let (store, prefix) = match open(place.as_deref()) {
        Err(error) if arguments.is_empty() => {
            warn(&format!("nothing is stored: {error}"));
            (Arc::new(InMemory::new()) as Arc<dyn ObjectStore>, Path::default())
        }
        opened => opened?,
    };
    let shared = Shared::new(store, prefix, Limits::default(), warn)?;
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => run(&shared),
        ["list"] => list(&shared),
        ["explain", name] => explain(&shared, name),
        ["prune", bytes] => {
            say!("{} removed", shared.prune(bytes.parse()?)?);
            Ok(())
        }
        _ => Err("expected nothing, list, explain KEY or prune BYTES".into()),
    }
}

/// Opens the store: by default a directory that belongs to this user alone, because what is stored there is run.
fn open(place: Option<&str>) -> Result<(Arc<dyn ObjectStore>, Path), Box<dyn Error>> {
    if let Some(url) = place.filter(|place| place.contains("://")) {
        let variables = std::env::vars_os();
        let options = variables.filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let (store, prefix) = object_store::parse_url_opts(&url::Url::parse(url)?, options)?;
        return Ok((store.into(), prefix));
    }
    let directory = match place {
        Some(place) => place.into(),
        None => {
            let home = || std::env::home_dir().map(|home| home.join(".cache"));
            let cache = std::env::var_os("XDG_CACHE_HOME").map(Into::into).or_else(home);
            cache
                .ok_or("there is no home directory: name a place with --store")?
                .join("treedef-shared-cache")
        }
    };
    std::fs::create_dir_all(&directory)?;
    Ok((Arc::new(LocalFileSystem::new_with_prefix(directory)?), Path::default()))
}

/// Runs all calls twice, and compares them with plain Rust.
fn run(shared: &Shared) -> Done {
    let (mut compiler, mut loaded, mut compiled) = (Compiler::new()?, Loaded::default(), 0);
    for (at, (function, len, scale)) in CALLS.into_iter().enumerate() {
        progress(&watched(at, compiled, function));
        let mut arguments = arguments(len);
        let kernel = loaded.find(function, scale, &arguments, || {
            let key = compiler.key(function, len, scale)?;
            let (key, start) = (key.as_key(), Instant::now());
            let (code, is_new) = shared.find(key, || compiler.compile(key))?;
            let took = start.elapsed().as_secs_f64() * 1e3;
            progress("");
            let from = if is_new { "compiled" } else { "from the store" };
            say!("{function} of {len} by {scale}: {} bytes {from} in {took:.1} ms", code.len());
            compiled += usize::from(is_new);
            if let Some(nearest) = is_new.then(|| shared.nearest(key)).flatten() {
                let summary = nearest.as_key().differences(key).summary().to_string();
                summary.lines().for_each(|line| say!("    unlike the nearest: {line}"));
            }
            Ok::<_, Box<dyn Error>>(compiler.load(key, &code)?)
        })?;
        check(kernel, function, &mut arguments, scale)?;
    }
    let start = Instant::now();
    for (function, len, scale) in CALLS {
        let mut arguments = arguments(len);
        let again = loaded.find(function, scale, &arguments, || {
            Err(Box::<dyn Error>::from("a call is not found again"))
        });
        check(again?, function, &mut arguments, scale)?;
    }
    let (hits, took) = (loaded.hits(), start.elapsed().as_secs_f64() * 1e3);
    say!("again: {hits} found by this thread, without a key, in {took:.1} ms with all runs");
    say!("{compiled} compiled, {} from the store", CALLS.len() - compiled);
    Ok(())
}

/// Arrays of this length.
fn arguments(len: usize) -> Arguments {
    let x: Vec<_> = (0..len).map(|at| at as f32 * 0.3 - 7.0).collect();
    let y = x.iter().map(|x| 1.0 / (x + 0.1)).collect();
    (Vector(x), Vector(y))
}

/// The numbers of compiled code are those of plain Rust, bit for bit.
fn check(
    kernel: &compiler::Kernel,
    function: &str,
    (Vector(x), Vector(y)): &mut Arguments,
    scale: f32,
) -> Done {
    let plain = |(x, y): (&f32, &f32)| match function {
        "scale_add" => scale * x + y,
        _ => scale * x * y,
    };
    let expected: Vec<_> = x.iter().zip(&*y).map(plain).map(f32::to_bits).collect();
    kernel.run(x, y)?;
    if y.iter().map(|y| y.to_bits()).ne(expected) {
        return Err(format!("{function} computes something else than plain Rust").into());
    }
    Ok(())
}

/// The line on a call: how many models were compiled before it, and how many the store had.
fn watched(before: usize, compiled: usize, function: &str) -> String {
    let (call, of, hits) = (before + 1, CALLS.len(), before - compiled);
    format!("{call} of {of}: {function} (compiled {compiled}, hits {hits}, misses {compiled})")
}

/// Rewrites one line where somebody watches.
fn progress(text: &str) {
    if stderr().is_terminal() {
        eprint!("\r{text}\x1b[K");
        _ = stderr().flush();
    }
}

/// What an object is called in the output: the front of its name.
fn short(object: &ObjectMeta) -> &str {
    let name = object.location.filename().unwrap_or_default();
    name.get(..12).unwrap_or(name)
}

fn list(shared: &Shared) -> Done {
    for object in shared.objects()? {
        let key = shared.key(&object);
        let key = key.map_or("damaged, or with a key that is too long to list".into(), |key| {
            key.to_string()
        });
        say!(
            "{} {:>8} bytes, used {} s ago: {key}",
            short(&object),
            object.size,
            age(&object).as_secs()
        );
    }
    Ok(())
}

fn explain(shared: &Shared, name: &str) -> Done {
    let objects = shared.objects()?;
    let mut named = objects
        .iter()
        .filter(|object| object.location.filename().is_some_and(|file| file.starts_with(name)));
    let (Some(object), None) = (named.next(), named.next()) else {
        return Err(format!("not exactly one object has a name that begins with {name}").into());
    };
    let key = shared.key(object).ok_or("the object is damaged, or its key is too long to read")?;
    key.as_key().parts().for_each(|part| say!("{part}"));
    match shared.nearest(key.as_key()) {
        Some(nearest) => {
            say!("unlike the nearest:\n{}", nearest.as_key().differences(key.as_key()).summary())
        }
        None => say!("the only key of its function"),
    }
    Ok(())
}
