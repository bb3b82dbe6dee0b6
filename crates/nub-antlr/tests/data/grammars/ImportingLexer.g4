lexer grammar ImportingLexer;
import ImportedLexer;
A : 'a' -> pushMode(M) ;
mode M;
B : 'b' ;
