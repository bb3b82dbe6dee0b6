grammar Ternary;
s : e EOF ;
e : e '?' e ':' e | e '++' | '++' e | e 'in' e | 'not' e | <assoc=right> e ':=' e | ID ;
ID : [a-z] ;
WS : [ \n]+ -> skip ;
