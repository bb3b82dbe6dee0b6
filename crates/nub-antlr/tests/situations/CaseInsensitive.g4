grammar CaseInsensitive;
options { caseInsensitive = true; }
s : (SELECT | STAR | 'from' | name)* EOF ;
name : NAME | HEX | EXACT ;
SELECT : 'select' ;
STAR : '*' ;
HEX : '0x' [a-f0-9]+ ;
EXACT options { caseInsensitive = false; } : 'Exact' ;
NAME : [a-z_]+ ;
WS : [ \n]+ -> skip ;
