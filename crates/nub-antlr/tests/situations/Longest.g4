grammar Longest;
// The longest match wins, then the rule that comes first; literals of the parser come before all rules.
s : (BEGIN | 'end' | ID | INT | FLOAT | '..' | '.' | '...' | STRING | OP)* EOF ;
BEGIN : 'begin' ;
ID : [a-z]+ ;
INT : [0-9]+ ;
FLOAT : [0-9]+ '.' [0-9]* | '.' [0-9]+ ;
STRING : '"' ('\\"' | .)*? '"' ;
OP : '+' | '++' | '+=' | '<' '<'? '='? ;
LINE : '//' ~[\r\n]* -> channel(HIDDEN) ;
BLOCK : '/*' .*? '*/' -> skip ;
WS : [ \t\r\n]+ -> skip ;
