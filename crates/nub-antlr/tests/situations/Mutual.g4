grammar Mutual;
// Recursion that is not at the left edge, or through another rule, needs no rewriting.
s : list EOF ;
list : list ',' item | item ;
item : '(' list ')' | pair | ID ;
pair : ID ':' item ;
ID : [a-z]+ ;
WS : [ \n]+ -> skip ;
