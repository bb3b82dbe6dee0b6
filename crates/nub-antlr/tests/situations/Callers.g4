grammar Callers;
// What may follow `e` depends on its caller: one token of lookahead without the caller is not enough.
s : (a | b | c)* EOF ;
a : '[' e ']' ;
b : '{' e ID '}' ;
c : '<' (e | f) '>' ;
e : ID? ID? | INT ;
f : e INT | ID ID INT ID ;
ID : [a-z]+ ; INT : [0-9]+ ;
WS : [ \n]+ -> skip ;
