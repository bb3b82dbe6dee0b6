grammar LexerPredicates;
// Predicates of a lexer see their position, and what was matched up to there.
s : .*? EOF ;
DIRECTIVE : {getCharPositionInLine() == 0}? '#' [a-z]+ ;
ENUM : [a-z]+ {getText().equals("enum")}? ;
ID : [a-z]+ ;
NOSLASH : '/' {_input.LA(1) != '/'}? ;
TWO : '//' ;
HASH : '#' ;
WS : [ \n]+ -> skip ;
