grammar Nested;
// Rules of a lexer may call themselves.
s : .*? EOF ;
COMMENT : '/*' (COMMENT | .)*? '*/' -> channel(HIDDEN) ;
PARENS : '(' (PARENS | ~[()])* ')' ;
EVEN : 'a' EVEN? 'b' ;
LETTER : [a-z] ;
LAST : '$' EOF ;
WS : [ \n]+ -> skip ;
