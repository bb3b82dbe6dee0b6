grammar Mutual;
// Recursion that is not at the left edge, or behind another rule, is an ordinary one.
s : list EOF ;
list : list ',' item | item ;
item : '(' list ')' | pair | ID ;
pair : ID ':' item ;
ID : [a-z]+ ;
WS : [ \n]+ -> skip ;
