grammar Precedence;
// Alternatives that come first bind tighter; binary operators are left-associative unless they say otherwise.
s : e EOF ;
e : e '.' ID
  | e '(' (e (',' e)*)? ')'
  | '-' e
  | <assoc=right> e '^' e
  | e ('*' | '/') e
  | e ('+' | '-') e
  | '!' e
  | e '&&' e
  | <assoc=right> e '=' e
  | ID
  | INT
  | '(' e ')'
  ;
ID : [a-z]+ ;
INT : [0-9]+ ;
WS : [ \n]+ -> skip ;
