//! As much of Markdown as the documentation uses: fenced blocks with the comments before them, links, headings, code.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).expect("this crate is in a folder of the repository")
}

/// A file of the documentation.
pub(crate) struct Page {
    /// Relative to the [root].
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A fenced block.
#[derive(Debug)]
pub(crate) struct Block {
    /// The number of the line with its opening fence, from 1.
    pub(crate) line: usize,
    /// What the fence says it is: `sh`, `console`, …
    pub(crate) language: String,
    /// The comments directly before it, without their markers.
    pub(crate) comments: Vec<String>,
    pub(crate) lines: Vec<String>,
}

impl Block {
    /// What a comment says that begins with this word: `<!-- needs: gcc -->`.
    pub(crate) fn directive(&self, name: &str) -> Option<&str> {
        self.comments.iter().find_map(|comment| comment.strip_prefix(name)?.strip_prefix(':').map(str::trim))
    }

    /// Whether it is a file, and not a list of commands.
    pub(crate) fn is_script(&self) -> bool {
        self.lines.first().is_some_and(|line| line.starts_with("#!"))
    }

    /// The commands of a block that is a list of them.
    pub(crate) fn commands(&self) -> Vec<String> {
        match self.language.as_str() {
            "console" => exchanges(&self.lines).into_iter().map(|(command, _)| command).collect(),
            "sh" if !self.is_script() => joined(&self.lines)
                .into_iter()
                .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
                .collect(),
            _ => vec![],
        }
    }
}

/// Lines that end with a backslash, together with the next.
fn joined(lines: &[String]) -> Vec<String> {
    let mut commands: Vec<String> = vec![];
    let mut continues = false;
    for line in lines {
        match commands.last_mut() {
            Some(command) if continues => {
                command.pop();
                command.push_str(line.trim_start());
            }
            _ => commands.push(line.clone()),
        }
        continues = line.ends_with('\\');
    }
    commands
}

/// The commands of a session, each with the lines that it prints.
pub(crate) fn exchanges(lines: &[String]) -> Vec<(String, Vec<String>)> {
    let mut exchanges: Vec<(String, Vec<String>)> = vec![];
    for line in lines {
        match (line.strip_prefix("$ "), exchanges.last_mut()) {
            (Some(command), _) => exchanges.push((command.to_owned(), vec![])),
            (None, Some((_, printed))) => printed.push(line.clone()),
            (None, None) => panic!("a session begins with `$ COMMAND`, and not with `{line}`"),
        }
    }
    exchanges
}

impl Page {
    pub(crate) fn read(path: &str) -> Self {
        let file = root().join(path);
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self { path: path.to_owned(), text }
    }

    /// All pages that people read: those at the root, in `docs` and `packaging`, and one per crate, for the examples and the
    /// evaluation.
    pub(crate) fn all() -> Vec<String> {
        let mut paths = markdown_in("");
        paths.extend(["docs", "packaging"].into_iter().flat_map(markdown_in));
        let mut crates: Vec<String> = names_in("crates");
        crates.sort();
        let folders =
            crates.iter().map(|name| format!("crates/{name}")).chain(["examples", "evaluation"].map(String::from));
        paths.extend(folders.map(|folder| format!("{folder}/README.md")).filter(|path| root().join(path).is_file()));
        paths
    }

    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = vec![];
        let mut comments: Vec<String> = vec![];
        let mut open: Option<Block> = None;
        let mut lines = self.text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if let Some(block) = &mut open {
                if line == "```" {
                    blocks.extend(open.take());
                } else {
                    block.lines.push(line.to_owned());
                }
                continue;
            }
            if let Some(language) = line.strip_prefix("```") {
                let comments = std::mem::take(&mut comments);
                open = Some(Block { line: number + 1, language: language.to_owned(), comments, lines: vec![] });
            } else if let Some(comment) = line.strip_prefix("<!-- ") {
                let mut comment = comment.to_owned();
                while !comment.ends_with("-->") {
                    let (_, more) = lines.next().unwrap_or_else(|| panic!("{}: a comment does not end", self.path));
                    comment = format!("{comment}\n{more}");
                }
                comments.push(comment.trim_end_matches("-->").trim().to_owned());
            } else {
                comments.clear();
            }
        }
        assert!(open.is_none(), "{}: a block does not end", self.path);
        blocks
    }

    /// The text without its blocks: what is said in words.
    pub(crate) fn prose(&self) -> String {
        let mut inside = false;
        let mut prose = String::new();
        for line in self.text.lines() {
            if line.starts_with("```") {
                inside = !inside;
            } else if !inside {
                prose.push_str(line);
                prose.push('\n');
            }
        }
        prose
    }

    /// The code within the prose: what is between single backticks.
    pub(crate) fn code(&self) -> Vec<String> {
        let prose = self.prose();
        let words = prose.split('`').enumerate().filter(|(number, _)| number % 2 == 1);
        words.map(|(_, code)| code.replace('\n', " ")).collect()
    }

    /// Where links and pictures lead.
    pub(crate) fn links(&self) -> Vec<String> {
        let prose = self.prose();
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        targets.map(|(target, _)| target.to_owned()).collect()
    }

    /// The anchors of its headings, as GitHub makes them.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let prose = self.prose();
        let headings =
            prose.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
        let anchor = |heading: &str| -> String {
            let kept = heading.chars().filter(|&c| c.is_alphanumeric() || c == ' ' || c == '-' || c == '_');
            kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
        };
        headings.map(anchor).collect()
    }
}

fn names_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

fn markdown_in(folder: &str) -> Vec<String> {
    let mut names: Vec<String> = names_in(folder).into_iter().filter(|name| name.ends_with(".md")).collect();
    names.sort();
    let path = |name: String| if folder.is_empty() { name } else { format!("{folder}/{name}") };
    names.into_iter().map(path).collect()
}

/// A path relative to the root, without `..`.
pub(crate) fn resolve(page: &str, target: &str) -> PathBuf {
    let mut path = Path::new(page).parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(target).components() {
        match part {
            std::path::Component::ParentDir => assert!(path.pop(), "{page}: {target} leads out of the repository"),
            std::path::Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page {
        Page { path: "docs/page.md".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn blocks_know_the_comments_before_them() {
        let page = page(
            "<!-- needs: a -->\ntext\n<!-- needs: b c -->\n<!-- setup: one\ntwo -->\n```sh\nx \\\n  y\n# z\n```\n```c\n```\n",
        );
        let blocks = page.blocks();
        assert_eq!((blocks[0].line, blocks[0].language.as_str()), (6, "sh"));
        assert_eq!((blocks[0].directive("needs"), blocks[0].directive("setup")), (Some("b c"), Some("one\ntwo")));
        assert_eq!(blocks[0].commands(), ["x y"]);
        assert!(blocks[1].comments.is_empty() && blocks[1].commands().is_empty());
    }

    #[test]
    fn sessions_are_commands_and_what_they_print() {
        let lines = ["$ a", "1", "2", "$ b"].map(String::from);
        let exchanges = exchanges(&lines);
        assert_eq!(exchanges[0], ("a".to_owned(), vec!["1".to_owned(), "2".to_owned()]));
        assert_eq!(exchanges[1], ("b".to_owned(), vec![]));
    }

    #[test]
    fn links_anchors_and_code() {
        let page = page("# A *b*: `c-d`\n[x](y.md#z) ![p](p.png)\n`one\ntwo` ```\n```text\n[no](no)\n```\n");
        assert_eq!(page.links(), ["y.md#z", "p.png"]);
        assert_eq!(page.anchors(), ["a-b-c-d"]);
        assert_eq!(page.code()[..2], ["c-d", "one two"]);
        assert_eq!(resolve(&page.path, "../README.md"), Path::new("README.md"));
        assert_eq!(resolve(&page.path, "a/b.md"), Path::new("docs/a/b.md"));
    }
}
