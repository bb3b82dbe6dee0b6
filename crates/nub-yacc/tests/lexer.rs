//! Real-world forms of lex files.

mod common;

use common::{both, lisp, single};
use nub_yacc::{Language, Origin};

const ANY: &str = "%token A B C D %% s : %empty | s t ; t : A | B | C | D | '+' ;";

/// The tokens that a lexer produces: names, `-` for skipped text, `?` for text that no rule matches, `!` for tokens
/// unknown to the grammar.
fn tokens(language: &Language, input: &str) -> String {
    let lexemes = language.lex(input.as_bytes());
    let shown: Vec<String> = (lexemes.iter())
        .map(|lexeme| {
            let name = match (lexeme.origin, lexeme.token) {
                (Origin::Skipped, _) => "-",
                (Origin::Unknown, _) => "?",
                (Origin::Matched, None) => "!",
                (Origin::Matched, Some(token)) => &language.grammar().token(token).name,
            };
            format!("{name}[{}]", &input[lexeme.span.clone()])
        })
        .collect();
    shown.join(" ")
}

fn lex(rules: &str, input: &str) -> String {
    tokens(&both(ANY, rules), input)
}

#[test]
fn the_longest_match_wins_and_then_the_first_rule() {
    let rules = "%%\nab return A;\n[a-z]+ return B;\nabc return C;\n";
    assert_eq!(lex(rules, "ab"), "A[ab]");
    assert_eq!(lex(rules, "abc"), "B[abc]");
    assert_eq!(lex(rules, "ab1"), "A[ab] ?[1]");
}

#[test]
fn definitions_literals_and_bars() {
    let rules = "D [0-9]\nX ({D}|[a-f])\n%%\n\"a.b\" |\n{X}{2,3} { yylval = 1; return (A); }\n[ \\t]+ ;\n";
    assert_eq!(lex(rules, "a.b 12 fff"), "A[a.b] -[ ] A[12] -[ ] A[fff]");
}

#[test]
fn what_actions_return() {
    let returns = |action: &str| lex(&format!("%%\nx {action}\n\\+ return '+';\n"), "x");
    assert_eq!(returns("return A;"), "A[x]");
    assert_eq!(returns("{ yylval.s = strdup(yytext); return B; }"), "B[x]");
    assert_eq!(returns("{ /* return A; */ return (int) C; }"), "C[x]");
    assert_eq!(returns("{ printf(\"return A;\"); return D; }"), "D[x]");
    assert_eq!(returns(";"), "-[x]");
    assert_eq!(returns("{ line++; }"), "-[x]");
    assert_eq!(returns("ECHO;"), "-[x]");
    assert_eq!(returns("TOKEN(A);"), "A[x]");
    assert_eq!(returns("return token(yylval, A);"), "A[x]");
    assert_eq!(lex("%%\n\\+ return enter(yytext[0], YY_START);\n", "+"), "'+'[+]");
    assert_eq!(lex("%%\n\\+ { return zzget_text(scanner)[0]; }\n", "+"), "'+'[+]");
    assert_eq!(returns("\"B\""), "B[x]", "the format of lrlex");
    assert_eq!(returns("{\n  if (odd(yytext))\n    return A;\n  else\n    return B;\n}"), "B[x]");
    let plus = "%%\n[+] return *yytext;\n";
    assert_eq!(lex(plus, "+"), "'+'[+]");
    assert_eq!(lex("%%\n[+-] { return (unsigned char) yytext[0]; }\n", "+-"), "'+'[+] ![-]");
}

#[test]
fn actions_that_are_not_understood_are_explained() {
    let warnings = |action: &str| {
        let language = both(ANY, &format!("%%\nxx {action}\n"));
        language.warnings().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let found = warnings("return lookup(yytext);");
    assert!(found.starts_with("test.l:2:4: warning: the token that this action returns is not known"), "{found}");
    assert!(found.contains("hint: write `return NAME;`"), "{found}");
    let found = warnings("return UNHEARD;");
    assert!(found.contains("the grammar has no token UNHEARD"), "{found}");
    let found = warnings("{ if (a) return A; return B; }");
    assert!(found.contains("returns A or B depending on a condition: B is assumed"), "{found}");
    assert!(warnings("{ REJECT; }").contains("REJECT is ignored"));
    assert!(warnings("{ BEGIN(state); }").contains("is not a constant"));
    assert_eq!(warnings("return A;"), "");
    // A single character is usually its own token.
    let language = both(ANY, "%%\n[+] return code(x);\n");
    assert_eq!(tokens(&language, "+"), "'+'[+]");
    assert!(language.warnings()[0].message.contains("the character itself is assumed"));
}

#[test]
fn functions_in_the_file_are_looked_into() {
    let rules = "%%\n[a-z]+ return word();\n%%\nint word(void) {\n  return B;\n}\n";
    assert_eq!(lex(rules, "abc"), "B[abc]");
}

#[test]
fn start_conditions() {
    let rules = "%x STRING\n%s LOUD\n%%\n\\\" BEGIN(STRING);\n<STRING>[^\"]+ ;\n<STRING>\\\" { BEGIN(INITIAL); return A; }\n\
                 ! BEGIN LOUD;\n<LOUD>x { BEGIN 0; return C; }\nx return B;\n";
    // From the opening quotation mark on, it is one token.
    assert_eq!(lex(rules, "x\"a x\"x"), "B[x] A[\"a x\"] B[x]");
    assert_eq!(lex(rules, "!xx"), "C[!x] B[x]");
    assert_eq!(lex(rules, "\"open"), "?[\"open]");
    let comments =
        "%x C\n%%\n\"/*\" BEGIN(C);\n<C>{\n  \"*/\" BEGIN(INITIAL);\n  . ;\n  \\n ;\n} /* C */\nx return A;\n";
    assert_eq!(lex(comments, "x/* x\n*/x"), "A[x] -[/* x\n*/] A[x]");
    let stacked = "%x C\n%%\n<INITIAL,C>\"(\" yy_push_state(C);\n<C>\")\" yy_pop_state();\n<C>x ;\nx return A;\n";
    assert_eq!(lex(stacked, "x(x)x"), "A[x] -[(x)] A[x]");
}

#[test]
fn more_and_less() {
    let rules = "%%\n\\\" yymore();\n[a-z]+ return A;\n[0-9]+ { yyless(1); return B; }\n";
    assert_eq!(lex(rules, "\"ab"), "A[\"ab]");
    assert_eq!(lex(rules, "12"), "B[1] B[2]");
}

/// As in PostgreSQL: the end of a string is known only when something else follows, or nothing.
#[test]
fn the_end_of_a_string_may_be_known_late() {
    let rules = "%x Q S\n%%\n' BEGIN(Q);\n<Q>[^']+ ;\n<Q>' BEGIN(S);\n<S>' BEGIN(Q);\n\
                 <S>.|\\n |\n<S><<EOF>> { yyless(0); BEGIN(INITIAL); return A; }\nx return B;\n<Q><<EOF>> yyerror();\n";
    assert_eq!(lex(rules, "'a''b'x"), "A['a''b'] B[x]");
    assert_eq!(lex(rules, "x'a'"), "B[x] A['a']");
    assert_eq!(lex(rules, "x'a"), "B[x] ?['a]");
}

#[test]
fn trailing_context_and_lines() {
    let rules =
        "%%\n^#.* ;\n[a-z]+/\"(\" return A;\n[a-z]+$ return B;\n[a-z]+ return C;\na*/a*b return D;\n[(\\n ] ;\n";
    assert_eq!(lex(rules, "#x\nf(g h\n"), "-[#x] -[\n] A[f] -[(] C[g] -[ ] B[h] -[\n]");
    let both_vary = "%%\n[ab]+/[bc]+d return A;\n[bcd]+ return B;\n";
    assert_eq!(lex(both_vary, "abbcd"), "A[abb] B[cd]");
}

#[test]
fn comments_read_by_c_code() {
    let rules = "%%\n\"/*\" comment();\nx return A;\n%%\ncomment() { while (input()) ; }\n";
    assert_eq!(lex(rules, "x/* x */x"), "A[x] -[/* x */] A[x]");
}

#[test]
fn case_is_ignored_if_the_file_says_so() {
    assert_eq!(lex("%option case-insensitive\n%%\nselect return A;\n", "SeLeCt"), "A[SeLeCt]");
}

#[test]
fn mistakes_are_located() {
    let error = |rules: &str| {
        let loaded = Language::from_sources(("test.y", ANY), Some(("test.l", rules)), None);
        loaded.map(drop).unwrap_err().to_string()
    };
    assert!(error("%%\n{X} return A;\n").starts_with("test.l:2:1: error: there is no definition X"));
    assert!(error("%%\n[a return A;\n").contains("test.l:2:1: error: this set is never closed"));
    assert!(error("%%\n<Y>a return A;\n").contains("there is no start condition Y"));
    assert!(error("A [a]\n").contains("there are no rules"));
    let huge = error("%%\n([a-z]{1,1000}){1,1000} return A;\n");
    assert!(huge.contains("no automaton can be built"), "{huge}");
}

#[test]
fn tokens_in_the_third_section() {
    let language = single(
        "%token IF \"if\" %% s : IF ID | s \"<=\" ID ; %%
         // names
         ID : \"[a-z]+\" \"x\"
         SKIP : \"\\s+\"   /* blanks */
         SKIP : \"#[^\\n]*\"",
    );
    assert_eq!(lisp(&language, "if a <= iff # rest"), "(s (s if a) <= iff)");
    let id = language.grammar().find_token("ID").unwrap();
    assert_eq!(language.shortest(id), Some("x"));
    let error = |text: &str| Language::from_sources(("t.y", text), None, None).map(drop).unwrap_err().to_string();
    assert!(error("%% s : 'a' ;").contains("nothing says what the tokens look like"));
    assert!(error("%% s : 'a' ; %% int main() {}").contains("t.y:1:21: error: expected `:` after the name int"));
    assert!(error("%% s : A ; %% A : \"(\"").contains("is not a valid regular expression: unclosed group"));
    assert!(error("%% s : B ; %% A : \"a\"").contains("B is used, but is not declared"));
}
