grammar Context;
s: ('$' a | '@' b)+ EOF;
a: e ID;
b: e INT ID;
e: INT | ;
ID: [a-z]+;
INT: [0-9]+;
WS: [ \n]+ -> channel(HIDDEN);
