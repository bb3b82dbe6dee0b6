grammar Statements;
s: stat+ EOF;
stat: 'if' ID 'then' stat ('else' stat)? | same ';' | tag | '{' stat* '}' | list;
same: ID '=' ID | ID '=' ID | ID;
tag: '<' .*? '>';
list: '[' (ID (',' ID)*)? ']';
ID: [a-z]+;
WS: [ \n]+ -> channel(HIDDEN);
