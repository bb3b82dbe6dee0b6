grammar NonGreedy;
// Non-greedy loops of a parser stop as soon as what follows matches.
s : (tag | opt | two | skip)* EOF ;
tag : '<' .*? '>' ;
opt : 'if' ID opt2?? ;
opt2 : 'else' ID ;
two : '(' (ID | '(')+? ')' ;
skip : '#' ~'#'*? '.' | 'else' ID ;
ID : [a-z]+ ; OTHER : [.=] ;
WS : [ \n]+ -> skip ;
