grammar ParserPredicates;
// Predicates decide where the syntax does not: at the left edge, after a call, in loops, and with the caller's rule.
s : stat* EOF ;
stat : enumeration | name ';' | three | {_input.LT(1).getText().equals("let")}? ID ID ';' | ID ID ';' ;
enumeration : {_input.LT(1).getText().equals("enum")}? ID ID '{' '}' ;
name : {!_input.LT(1).getText().equals("enum")}? ID | {_input.LT(1).getText().equals("enum")}? ID ;
three : '[' ({_input.LT(1).getText().equals("x")}? ID)* rest ']' ;
rest : ({_input.LA(2) != ID}? ID | ID ID)* ;
ID : [a-z]+ ;
WS : [ \n]+ -> skip ;
