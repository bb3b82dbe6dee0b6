grammar Callers;
// What may follow `e` depends on who called it: with one token ahead and without the caller nobody can tell.
s : (a | b | c)* EOF ;
a : '[' e ']' ;
b : '{' e ID '}' ;
c : '<' (e | f) '>' ;
e : ID? ID? | INT ;
f : e INT | ID ID INT ID ;
ID : [a-z]+ ; INT : [0-9]+ ;
WS : [ \n]+ -> skip ;
