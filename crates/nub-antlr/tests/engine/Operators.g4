grammar Operators;
s: e EOF;
e: <assoc=right> e '^' e | e '*' e | e ('+' | '-') e | e '?' e ':' e | '-' e | e '!' | e '[' e ']' | ID | INT | '(' e ')';
ID: [a-z]+;
INT: [0-9]+;
WS: [ \t\r\n]+ -> skip;
