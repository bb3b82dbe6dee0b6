lexer grammar ModesLexer;
tokens { T1, T2 }
channels { COMMENTS, OTHER }
options { superClass = Base; }
OPEN : '<' -> pushMode(INSIDE) ;
TEXT : ~'<'+ ;
C : '#' .*? '\n' -> channel(COMMENTS), type(TEXT) ;
fragment DIGIT : [0-9] ;
mode INSIDE;
CLOSE : '>' -> popMode ;
NAME : [a-z]+ { count++; } ;
N2 : DIGIT+ {a}? { b } -> channel(OTHER) ;
STR : '"' -> more, mode(STRING) ;
N3 : 'x' { b } ('y' | 'z') -> skip ;
mode STRING;
END : '"' -> type(T1), mode(INSIDE) ;
CH : . -> more ;
mode INSIDE;
AGAIN : '=' -> type(T2), channel(1) ;
