lexer grammar IslandLexer;
// Tags in a sea of text: modes, a stack of them, and tokens in pieces.
tokens { STRING, CDATA }
COMMENT : '<!--' .*? '-->' -> skip ;
OPEN : '<' -> pushMode(TAG) ;
REF : '&' [a-z]+ ';' ;
TEXT : ~[<&]+ ;
mode TAG;
CLOSE : '>' -> popMode ;
SLASH : '/' ;
NAME : [a-z]+ ;
EQ : '=' ;
QUOTE : '"' -> more, mode(INSIDE) ;
BEGIN : '[' -> more, pushMode(DATA) ;
SPACE : [ \n]+ -> channel(HIDDEN) ;
mode INSIDE;
ESCAPE : '\\' . -> more ;
END : '"' -> type(STRING), mode(TAG) ;
CHAR : . -> more ;
mode DATA;
AGAIN : '[' -> more, pushMode(DATA) ;
DONE : ']' -> type(CDATA), popMode ;
ANY : . -> more ;
