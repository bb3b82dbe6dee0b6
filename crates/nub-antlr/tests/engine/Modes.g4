lexer grammar Modes;
tokens { STRING_TEXT }
IF: 'if';
ID: [a-z]+;
LONGER: 'iffy' | 'if' ' '* '!';
COMMENT: '/*' (COMMENT | .)*? '*/' -> channel(HIDDEN);
OPEN: '"' -> more, pushMode(STRING);
TAG: '<' .*? '>' ;
ANGLE: '<' [a-z]* ;
WS: [ \n]+ -> skip;
mode STRING;
STRING_END: '"' -> type(STRING_TEXT), popMode;
TEXT: ~["]+ -> more;
