//! Documents that cover all features of XML, in several encodings.

/// Encodes a document.
type Encode = fn(&str) -> Vec<u8>;

/// Declarations of elements and attributes.
const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
<!-- before -->
<!DOCTYPE book [
  <!ELEMENT book (title, (chapter | part)+, index?)>
  <!ELEMENT title (#PCDATA|em)*>
  <!ELEMENT em EMPTY>
  <!ATTLIST book
     id ID #IMPLIED
     kind (novel | 'x') #REQUIRED >
]>
<book/>
"#;

const ENTITIES: &str = r#"<?xml version="1.0"?>
<!DOCTYPE book [
  <!ELEMENT book (title, (chapter | part)+, index?)>
  <!ELEMENT title (#PCDATA|em)*>
  <!ENTITY who "somebody">
  <!ATTLIST book id ID #IMPLIED kind (novel|poem) "novel" by CDATA #FIXED "&who;">
  <!ENTITY copy "&#169; by &who; &amp; others">
  <!ENTITY part "<em>part</em> of &copy;">
  <!ENTITY logo SYSTEM "logo.gif" NDATA gif>
  <!ENTITY file PUBLIC "-//X//Y" "file.xml">
  <!ENTITY % more "">
  <!NOTATION gif PUBLIC "image/gif">
  <?process this?>
  <!-- and that -->
]>
<book id="b1" by="&who;" note='"&copy;" &lt; &#x41;'>
  <title>A &part; b <em x="1" y = '2'/></title>
  <chapter>&file; one two three</chapter>
  <chapter  n="2"
            m="3" >&copy;&who;</chapter >
</book>
<?after all?>
"#;

const TEXTS: &str = r#"<notes><?target with data > and < ?><note>]] > and ] ]&gt; and "quotes"</note>
<note><![CDATA[<not> & a tag ]] ]]>tail ]]<!-- - comment - -->&#10;&apos;</note><empty></empty><empty
/><deep><deep><deep><deep>down <b>bold <i>both</i></b> here</deep></deep></deep></deep>
<long>one two three four five six seven eight nine ten eleven twelve thirteen</long></notes>"#;

const NAMESPACES: &str = r#"<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"
    xmlns="http://www.w3.org/1999/xhtml" xmlns:s="urn:s" xmlns:unused="urn:u" xml:lang="en">
  <x:template match="s:a|s:b"><p class="c" s:class="d" s:other="e"><x:value-of select="." xml:space="preserve"/></p>
    <s:in xmlns:s="urn:other" s:a="1" t:b="2" xmlns:t="urn:t"><t:deep><s:deeper/></t:deep></s:in></x:template>
  <x:template name="n"><q xmlns=""><r xmlns:x="urn:not-xsl"><x:y/></r></q></x:template>
</x:stylesheet>
"#;

const PICTURE: &str = r##"<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">
 <defs><path id="p" d="M 1 2 L 3 4 z m -1 2.5 1e3"/><style type="text/css"><![CDATA[ .a > .b { fill: red } ]]></style></defs>
 <g transform="translate(1, 2) scale(3)"><use xlink:href="#p" x="1"/><text>Größe 日本 😀</text></g>
</svg>
"##;

const ACCENTS: &str = "<?xml version='1.0' encoding='ENCODING'?>\n<!DOCTYPE élan [<!ENTITY é 'à la &#233;'>]>\n\
    <élan naïve='ça' b='ô'>où <Ü>&é; straße</Ü> déjà\n<b/>vu &#8364;</élan>\n";

fn utf16le(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf16be(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}

fn utf8(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// All documents, with names.
pub(crate) fn documents() -> Vec<(String, Vec<u8>)> {
    let plain = [
        ("types", TYPES.replace("'x'", "poem")),
        ("entities", ENTITIES.to_owned()),
        ("texts", TEXTS.to_owned()),
        ("namespaces", NAMESPACES.to_owned()),
        ("picture", PICTURE.to_owned()),
        ("marked picture", format!("\u{feff}{PICTURE}")),
    ];
    let encodings: [(&str, Encode); 4] =
        [("ISO-8859-1", latin1), ("UTF-16", utf16le), ("UTF-16", utf16be), ("UTF-8", utf8)];
    let plain = plain.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes()));
    let encoded = encodings.iter().enumerate().map(|(number, (name, encode))| {
        let text = ACCENTS.replace("ENCODING", name);
        (format!("accents {number} in {name}"), encode(&text))
    });
    plain.chain(encoded).collect()
}
