grammar Predicates;
s: (word | call)+ EOF;
word: {true}? ID '.' | {true}? ID '.';
call: ID '(' ID {true}? ')';
ID: [a-z]+;
WS: [ \n]+ -> skip;
