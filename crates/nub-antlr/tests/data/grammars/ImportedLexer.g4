lexer grammar ImportedLexer;
tokens { TT }
channels { CC }
D : 'd' ;
mode M;
E : 'e' -> channel(CC) ;
mode N;
F : 'f' ;
mode EMPTY;
A : 'aaa' ;
