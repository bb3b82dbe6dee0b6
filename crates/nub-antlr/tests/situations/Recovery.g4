grammar Recovery;
// One extra token, one missing token, and continuing after errors that cannot be repaired.
s : stat* EOF ;
stat : 'var' ID '=' e ';' | '{' stat* '}' | call ';' ;
call : ID '(' (e (',' e)*)? ')' ;
e : e '+' e | INT | call | '(' e ')' ;
ID : [a-z]+ ; INT : [0-9]+ ;
WS : [ \n]+ -> skip ;
