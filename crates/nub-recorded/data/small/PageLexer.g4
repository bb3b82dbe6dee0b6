// A small markup language: modes, a token that goes on in another mode, and channels.
lexer grammar PageLexer;

channels { NOTES }

NOTE : '{-' .*? '-}' -> channel(NOTES) ;
OPEN : '<' -> pushMode(TAG) ;
CLOSE_OPEN : '</' -> pushMode(TAG) ;
TEXT : ~[<{]+ ;
BRACE : '{' ;

mode TAG;

SLASH_END : '/>' -> popMode ;
END : '>' -> popMode ;
IS : '=' ;
NAME : [a-z] [a-z0-9]* ;
QUOTE : '"' -> more, pushMode(VALUE) ;
BLANK : [ \t\r\n]+ -> skip ;

mode VALUE;

STRING : '"' -> popMode ;
CHARACTER : ~'"' -> more ;
