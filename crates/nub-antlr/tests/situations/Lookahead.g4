grammar Lookahead;
// No fixed number of tokens tells these apart: the declarator nests.
s : stat* EOF ;
stat : type d ';' | type d '{' '}' | e ';' ;
type : ID | ID '<' type (',' type)* '>' ;
d : '*' d | ID | '(' d ')' ;
e : e '*' e | e '<' e | e '>' e | e ',' e | ID | '(' e ')' | ID '(' e ')' ;
ID : [a-z]+ ;
WS : [ \n]+ -> skip ;
