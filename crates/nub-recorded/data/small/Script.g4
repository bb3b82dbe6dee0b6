// A part of JavaScript: one grammar for lexer and parser, left recursion, tokens that have no name, and every kind of
// repetition.
grammar Script;

program : statement* EOF ;

statement
    : block
    | 'var' declaration (',' declaration)* ';'
    | 'function' NAME parameters block
    | 'if' '(' expression ')' statement ('else' statement)?
    | 'while' '(' expression ')' statement
    | 'return' expression? ';'
    | 'throw' expression ';'
    | expression ';'
    ;

block : '{' statement* '}' ;

declaration : NAME ('=' expression)? ;

parameters : '(' (NAME (',' NAME)*)? ')' ;

expression
    : expression '.' NAME
    | expression arguments
    | '-'+ expression
    | expression ('*' | '/') expression
    | expression ('+' | '-') expression
    | expression ('<' | '===') expression
    | <assoc=right> expression '?' expression ':' expression
    | <assoc=right> NAME '=' expression
    | '(' expression ')'
    | '[' (expression (',' expression)*)? ']'
    | NAME
    | NUMBER
    | STRING
    ;

arguments : '(' (expression (',' expression)*)? ')' ;

NAME : [A-Za-z_$] [A-Za-z_$0-9]* ;
NUMBER : [0-9]+ ('.' [0-9]+)? ;
STRING : '"' (~["\\\r\n] | '\\' .)* '"' ;
COMMENT : ('//' ~[\r\n]* | '/*' .*? '*/') -> channel(HIDDEN) ;
SPACE : [ \t\r\n]+ -> skip ;
