//! `cargo xtask licenses FILE [TARGET]`: the licences of everything that is linked into `nub`.
//!
//! Nearly all of those packages are under MIT or Apache-2.0, which ask that their text and their copyright lines go with
//! every binary. So the file goes into archives, wheels and images.

use crate::{cargo, output, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// How the names of files with licences and copyright lines begin, in lower case.
const FILES: &[&str] = &["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// A package in the binary.
struct Package {
    /// Name and version.
    title: String,
    license: String,
    repository: String,
    /// Whose copyright it is, where the package has no file that says so.
    holders: String,
    /// Where its sources are.
    directory: Option<PathBuf>,
}

pub(crate) fn main(args: &[String]) -> Result<()> {
    let (file, target) = match args {
        [file] => (file, host()?),
        [file, target] => (file, target.clone()),
        _ => bail!("usage: cargo xtask licenses FILE [TARGET]"),
    };
    let mut packages = packages(&linked(&target)?)?;
    packages.push(Package {
        title: format!("Rust standard library, {}", output(Command::new("rustc").arg("--version"))?.trim()),
        license: "MIT OR Apache-2.0".to_owned(),
        repository: "https://github.com/rust-lang/rust".to_owned(),
        holders: "The Rust Project contributors".to_owned(),
        directory: None,
    });
    if target.ends_with("-musl") {
        packages.push(Package {
            title: "musl".to_owned(),
            license: "MIT".to_owned(),
            repository: "https://musl.libc.org".to_owned(),
            holders: "Rich Felker and the contributors of musl".to_owned(),
            directory: None,
        });
    }
    let text = write(&packages)?;
    fs::write(file, text).with_context(|| format!("cannot write {file}"))?;
    eprintln!("xtask: {file}: {} packages", packages.len());
    Ok(())
}

/// The platform that cargo builds for if it is not told another.
fn host() -> Result<String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV does not name the host")?.to_owned())
}

/// Names and versions of what is linked into nub: neither build scripts nor procedural macros, which only run here.
fn linked(target: &str) -> Result<BTreeSet<(String, String)>> {
    let edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}", "--target", target];
    let tree = output(cargo(&["tree", "--locked", "--package", "nub"]).args(edges))?;
    let package = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
    };
    Ok(tree.lines().filter_map(package).collect())
}

/// What cargo knows about those of the packages that come from elsewhere.
fn packages(linked: &BTreeSet<(String, String)>) -> Result<Vec<Package>> {
    let metadata = output(&mut cargo(&["metadata", "--locked", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata printed no JSON")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut packages = Vec::new();
    for package in metadata["packages"].as_array().context("cargo metadata lists no packages")? {
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        if package["source"].is_null() || !linked.contains(&(name.clone(), version.clone())) {
            continue;
        }
        let authors = package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let authors: Vec<&str> = authors.map(|author| author.split(" <").next().unwrap_or(author)).collect();
        packages.push(Package {
            title: format!("{name} {version}"),
            license: text(&package["license"]),
            repository: text(&package["repository"]),
            holders: if authors.is_empty() { format!("the authors of {name}") } else { authors.join(", ") },
            directory: Path::new(&text(&package["manifest_path"])).parent().map(Path::to_owned),
        });
    }
    packages.sort_by(|a, b| a.title.cmp(&b.title));
    Ok(packages)
}

/// All packages with their licences; then every text once, because most packages have the same ones.
fn write(packages: &[Package]) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut all = String::from("The nub binary contains the following packages, under the licences named here.\n\n");
    for package in packages {
        writeln!(all, "{}: {} ({})", package.title, package.license, package.repository)?;
        for text in license_texts(package)? {
            texts.entry(text).or_default().push(&package.title);
        }
    }
    for (text, titles) in &texts {
        let line = "=".repeat(100);
        write!(all, "\n{line}\n{}\n{line}\n\n{}\n", titles.join("\n"), text.trim_end())?;
    }
    Ok(all)
}

/// The texts of a package, or the usual text of its licence if it comes without.
fn license_texts(package: &Package) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    if let Some(directory) = &package.directory {
        collect(directory, &mut texts)?;
    }
    if texts.is_empty() {
        texts.push(usual_text(package)?);
    }
    Ok(texts)
}

/// Licences below a directory; parts of a package may have one of their own, such as tree-sitter's Unicode tables.
fn collect(directory: &Path, texts: &mut Vec<String>) -> Result<()> {
    let entries = fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_dir() {
            collect(&path, texts)?;
        } else if FILES.iter().any(|file| name.starts_with(file)) && !name.ends_with(".rs") {
            let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            texts.push(String::from_utf8_lossy(&text).replace("\r\n", "\n"));
        }
    }
    Ok(())
}

/// MIT with the authors as copyright holders, or else Apache-2.0, from the copies that nub itself is under.
fn usual_text(package: &Package) -> Result<String> {
    let read = |file: &str| fs::read_to_string(root().join(file)).with_context(|| format!("cannot read {file}"));
    if package.license.contains("MIT") {
        let own = read("LICENSE-MIT")?;
        let (_, rest) = own.split_once("\nCopyright").context("LICENSE-MIT has no copyright line")?;
        let (_, permission) = rest.split_once('\n').context("LICENSE-MIT ends with its copyright line")?;
        Ok(format!("MIT License\n\nCopyright (c) {}\n{permission}", package.holders))
    } else if package.license.contains("Apache-2.0") {
        read("LICENSE-APACHE")
    } else {
        bail!(
            "{} comes without the text of its licence ({}): add that text to usual_text in xtask/src/licenses.rs",
            package.title,
            package.license
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(title: &str, license: &str) -> Package {
        Package {
            title: title.to_owned(),
            license: license.to_owned(),
            repository: "https://example.org".to_owned(),
            holders: format!("the authors of {title}"),
            directory: None,
        }
    }

    #[test]
    fn a_package_without_a_text_gets_the_usual_one_with_its_holders() {
        let text = write(&[package("a 1.0", "MIT"), package("b 2.0", "MIT OR Apache-2.0"), package("c", "Apache-2.0")])
            .unwrap();
        assert!(text.contains("a 1.0: MIT (https://example.org)\nb 2.0: MIT OR"), "{text}");
        assert!(text.contains("Copyright (c) the authors of a 1.0\n\nPermission is hereby granted"), "{text}");
        assert!(text.contains("Copyright (c) the authors of b 2.0\n"), "{text}");
        assert_eq!(text.matches("Apache License").count(), 1, "{text}");
        assert!(!text.contains("nub authors"), "{text}");
    }

    #[test]
    fn a_license_without_a_known_text_is_an_error() {
        let error = write(&[package("odd", "Zlib")]).unwrap_err().to_string();
        assert!(error.contains("odd") && error.contains("Zlib"), "{error}");
    }
}
