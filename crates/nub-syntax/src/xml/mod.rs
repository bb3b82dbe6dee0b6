//! XML and everything that is XML: SVG, XSLT, XHTML, …
//!
//! XML has a front end of its own because what matters is not in its grammar: that the names of two tags are the same,
//! that a document has one root, that attributes are different, that entities and prefixes are declared. A tree from here
//! knows all that, so that what is made from it is [well-formed](errors), and well-formed with namespaces:
//!
//! - an element goes with both of its tags, is unwrapped from them, or makes way for an element in it;
//! - an attribute goes with the blank before it; text and values go word by word, and never cut a reference;
//! - `<a></a>` becomes `<a/>`;
//! - a prefix goes in both tags; the declaration of a prefix goes with the prefix wherever it is used, or only loses it
//!   and becomes that of the default namespace;
//! - the declaration of an entity, and the document type, go with the references that need them;
//! - what says in which encoding the rest is written stays as long as that matters.
//!
//! The scanner loses nothing and takes any bytes. What is not well-formed is reduced as plain lists. Nothing here is
//! recursive: documents nest a hundred thousand deep.
//!
//! No parser from elsewhere is used, because none keeps every byte, goes on after errors, and knows the declarations
//! in a document type.
//!
//! ```
//! use nub_core::{FrontEnd as _, Hidden};
//! use nub_syntax::xml;
//!
//! let document = b"<a xmlns:p='x'><p:b>&amp;</p:b></a>";
//! assert_eq!(xml::errors(document), 0);
//! let structure = xml::Xml.analyse(document, Hidden::Gaps).unwrap();
//! assert!(structure.is_valid(b"<a/>") && !structure.is_valid(b"<a>"));
//! ```

mod build;
mod check;
mod cursor;
mod doctype;
mod dtd;
mod encoding;
mod entities;
mod facts;
mod items;
mod namespaces;
mod nesting;
mod structure;

pub use structure::Xml;

use nub_core::tree::Tree;

/// Its name among the [languages](crate::languages).
pub const NAME: &str = "xml";

/// Extensions of files that are XML.
pub(crate) const EXTENSIONS: [&str; 57] = [
    "xml",
    "xhtml",
    "xht",
    "svg",
    "xsd",
    "xsl",
    "xslt",
    "xspec",
    "rng",
    "sch",
    "rss",
    "atom",
    "rdf",
    "owl",
    "opml",
    "mathml",
    "mml",
    "x3d",
    "dae",
    "musicxml",
    "tei",
    "dbk",
    "docbook",
    "dita",
    "ditamap",
    "fodt",
    "opf",
    "ncx",
    "xmi",
    "wsdl",
    "wadl",
    "xlf",
    "xliff",
    "plist",
    "storyboard",
    "xib",
    "xaml",
    "resx",
    "csproj",
    "vbproj",
    "fsproj",
    "vcxproj",
    "nuspec",
    "props",
    "targets",
    "pom",
    "iml",
    "fxml",
    "jnlp",
    "kml",
    "gpx",
    "gml",
    "osm",
    "tmx",
    "urdf",
    "glade",
    "qrc",
];

/// A document, and what is known about it.
#[derive(Debug)]
pub struct Parsed {
    /// Its tree.
    pub tree: Tree,
    /// How many errors there are in it: 0 if it is well-formed.
    pub errors: usize,
    facts: facts::Facts,
}

/// Parses a document. Any bytes will do, but `None` if there are 4 GiB of them, or if the encoding is not based on ASCII
/// (UTF-16 is understood).
pub fn parse(input: &[u8]) -> Option<Parsed> {
    u32::try_from(input.len()).ok()?;
    let decoded = encoding::decode(input)?;
    let errors = check::errors_in(&decoded);
    let (tree, facts) = build::build(input, &decoded, errors == 0);
    Some(Parsed { tree, errors, facts })
}

/// How many errors there are in a document: 0 if it is well-formed, as far as that can be seen without other files.
///
/// ```
/// use nub_syntax::xml::errors;
///
/// assert_eq!(errors(b"<a b='&lt;'/>"), 0);
/// assert_eq!(errors(b"<a></b>"), 2);
/// ```
pub fn errors(input: &[u8]) -> usize {
    check::errors(input)
}
