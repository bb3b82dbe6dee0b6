// Text beyond ASCII: “quotes”, 漢字, 😀, and a comment that ends with the file
const char *texts[] = { "é", "漢字", "😀", "\u00e9\U0001F600", u8"ü", "\\", "a\
b" };
/* ** / * // */ int after; // \
still a comment
int last = '"'; /* */ char quote = '\''; // end
