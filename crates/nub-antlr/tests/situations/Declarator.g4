grammar Declarator;
// C declarators: prefix operators bind less tightly than suffixes because they come later.
s : (d ';')* EOF ;
d : d '[' d? ']' | d '(' ')' | '*' d | '(' d ')' | ID ;
ID : [a-z]+ ;
WS : [ \n]+ -> skip ;
