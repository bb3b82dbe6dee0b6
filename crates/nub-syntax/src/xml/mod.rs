//! XML and the formats based on it: SVG, XSLT, XHTML, …
//!
//! XML has its own front end because its most important constraints are not in its grammar: both tags of an element
//! have the same name, a document has one root, attributes are distinct, entities and prefixes are declared. The trees
//! built here know all that, so every candidate is [well-formed](errors), including its namespaces:
//!
//! - an element is removed with both its tags, unwrapped, or replaced by an element inside it;
//! - an attribute is removed with the blank before it; text and values are removed word by word, and no reference is
//!   ever cut;
//! - `<a></a>` becomes `<a/>`;
//! - a prefix is removed from both tags; the declaration of a prefix is removed together with all its uses, or only
//!   loses the prefix and becomes the default namespace;
//! - the declaration of an entity, or the document type, is removed with the references that need it;
//! - the declaration of the encoding stays as long as it matters.
//!
//! The scanner loses nothing and accepts any bytes. Malformed parts are reduced as plain lists. Nothing here is
//! recursive, because documents can nest a hundred thousand levels deep.
//!
//! No existing parser is used, because none keeps every byte, continues after errors, and knows the declarations in a
//! document type.
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

/// The name of XML among the [languages](crate::languages).
pub const NAME: &str = "xml";

/// File extensions of XML formats.
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

/// A parsed document.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub tree: Tree,
    /// The number of errors: 0 if the document is well-formed.
    pub errors: usize,
    facts: facts::Facts,
}

/// Parses a document. Any bytes are accepted; `None` if there are 4 GiB of them, or if the encoding is neither based on
/// ASCII nor UTF-16.
pub fn parse(input: &[u8]) -> Option<Parsed> {
    u32::try_from(input.len()).ok()?;
    let decoded = encoding::decode(input)?;
    let errors = check::errors_in(&decoded);
    let (tree, facts) = build::build(input, &decoded, errors == 0);
    Some(Parsed { tree, errors, facts })
}

/// The number of errors in a document: 0 if it is well-formed. Other files are not read.
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
