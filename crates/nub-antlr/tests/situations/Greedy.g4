grammar Greedy;
// Greedy and non-greedy loops in the lexer, side by side.
s : .*? EOF ;
ACTION1 : '<' (STRING | ~[<>])* '>' ;
ACTION2 : '{' (STRING | .)*? '}' ;
ALL : '[' .* ']' ;
fragment STRING : '"' ('\\' ["\\] | ~["\\])* '"' ;
FEW : 'x' 'y'*? ;
FEWZ : 'x' 'y'*? 'z' ;
MAYBE : 'q' 'r'?? ;
WORD : [a-z] ;
WS : [ \n]+ -> skip ;
