//! Embeds the grammar of every enabled language, as it comes with the language's parser.
//!
//! The packages of the parsers carry their `grammar.json`, but do not export it; so this asks cargo where the packages
//! are. The files are made smaller (no blanks) and compressed: about 5 KB for a language.

use flate2::{Compression, write::ZlibEncoder};
use serde_json::Value;
use std::{
    collections::HashMap,
    env,
    error::Error,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// How nub calls a grammar, and where it is in its package.
type Place = (&'static str, &'static str);

/// Feature, package, and the grammars in it.
const GRAMMARS: &[(&str, &str, &[Place])] = &[
    ("bash", "tree-sitter-bash", &[("bash", "src")]),
    ("c", "tree-sitter-c", &[("c", "src")]),
    ("c-sharp", "tree-sitter-c-sharp", &[("c-sharp", "src")]),
    ("cpp", "tree-sitter-cpp", &[("cpp", "src")]),
    ("css", "tree-sitter-css", &[("css", "src")]),
    ("cuda", "tree-sitter-cuda", &[("cuda", "src")]),
    ("glsl", "tree-sitter-glsl", &[("glsl", "src")]),
    ("go", "tree-sitter-go", &[("go", "src")]),
    ("graphql", "tree-sitter-graphql", &[("graphql", "src")]),
    ("haskell", "tree-sitter-haskell", &[("haskell", "src")]),
    ("hlsl", "tree-sitter-hlsl", &[("hlsl", "src")]),
    ("html", "tree-sitter-html", &[("html", "src")]),
    ("java", "tree-sitter-java", &[("java", "src")]),
    ("javascript", "tree-sitter-javascript", &[("javascript", "src")]),
    ("json", "tree-sitter-json", &[("json", "src")]),
    ("julia", "tree-sitter-julia", &[("julia", "src")]),
    ("kotlin", "tree-sitter-kotlin-ng", &[("kotlin", "src")]),
    ("llvm", "tree-sitter-llvm", &[("llvm", "src")]),
    ("lua", "tree-sitter-lua", &[("lua", "src")]),
    ("markdown", "tree-sitter-md", &[("markdown", "tree-sitter-markdown/src")]),
    ("mlir", "tree-sitter-mlir", &[("mlir", "src")]),
    ("ocaml", "tree-sitter-ocaml", &[("ocaml", "grammars/ocaml/src"), ("ocaml-interface", "grammars/interface/src")]),
    ("php", "tree-sitter-php", &[("php", "php/src")]),
    ("proto", "tree-sitter-proto", &[("proto", "src")]),
    ("python", "tree-sitter-python", &[("python", "src")]),
    ("r", "tree-sitter-r", &[("r", "src")]),
    ("ruby", "tree-sitter-ruby", &[("ruby", "src")]),
    ("rust", "tree-sitter-rust", &[("rust", "src")]),
    ("scala", "tree-sitter-scala", &[("scala", "src")]),
    ("smt2", "tree-sitter-smt2", &[("smt2", "src")]),
    ("solidity", "tree-sitter-solidity", &[("solidity", "src")]),
    ("sql", "tree-sitter-sequel", &[("sql", "src")]),
    ("swift", "tree-sitter-swift", &[("swift", "src")]),
    ("systemverilog", "tree-sitter-systemverilog", &[("systemverilog", "src")]),
    ("toml", "tree-sitter-toml-ng", &[("toml", "src")]),
    ("typescript", "tree-sitter-typescript", &[("typescript", "typescript/src"), ("tsx", "tsx/src")]),
    ("wgsl", "tree-sitter-wgsl-bevy", &[("wgsl", "src")]),
    ("xml", "tree-sitter-xml", &[("xml", "xml/src"), ("dtd", "dtd/src")]),
    ("yaml", "tree-sitter-yaml", &[("yaml", "src")]),
    ("zig", "tree-sitter-zig", &[("zig", "src")]),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let enabled = |feature: &str| {
        let variable = format!("CARGO_FEATURE_{}", feature.to_uppercase().replace('-', "_"));
        env::var_os(variable).is_some()
    };
    let grammars: Vec<_> = GRAMMARS.iter().filter(|&&(feature, ..)| enabled(feature)).collect();
    if grammars.is_empty() {
        return Ok(());
    }
    let features: Vec<&str> = grammars.iter().map(|&&(feature, ..)| feature).collect();
    let packages = packages(&features.join(","))?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for &&(_, package, grammars) in &grammars {
        let directory = packages.get(package).ok_or_else(|| format!("cargo metadata does not know {package}"))?;
        for &(name, place) in grammars {
            let path = directory.join(place).join("grammar.json");
            let json = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&without_blanks(&json))?;
            fs::write(out.join(format!("{name}.json.z")), encoder.finish()?)?;
        }
    }
    Ok(())
}

/// The directories of all packages of this build.
fn packages(features: &str) -> Result<HashMap<String, PathBuf>, Box<dyn Error>> {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let target = env::var("TARGET")?;
    let output = Command::new(env::var("CARGO")?)
        .args(["metadata", "--offline", "--locked", "--format-version=1", "--no-default-features"])
        // Without it, cargo would want the packages of all platforms, which nobody has downloaded.
        .args(["--filter-platform", &target, "--features", features, "--manifest-path"])
        .arg(manifest)
        .output()?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(
            format!("cargo metadata failed; it is needed to find the grammars of the parsers: {message}").into()
        );
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let package = |package: &Value| {
        let directory = Path::new(package["manifest_path"].as_str()?).parent()?;
        Some((package["name"].as_str()?.to_owned(), directory.to_owned()))
    };
    Ok(metadata["packages"].as_array().into_iter().flatten().filter_map(package).collect())
}

/// JSON without the blanks between its tokens. (Not parsed and written again: the order of the rules matters.)
fn without_blanks(json: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for &byte in json {
        if in_string || !byte.is_ascii_whitespace() {
            result.push(byte);
        }
        match byte {
            b'"' if !escaped => in_string = !in_string,
            _ => {}
        }
        escaped = in_string && byte == b'\\' && !escaped;
    }
    result
}
