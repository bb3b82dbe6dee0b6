parser grammar IslandParser;
options { tokenVocab = IslandLexer; }
s : content EOF ;
content : (TEXT | REF | element)* ;
element : OPEN NAME attribute* CLOSE content OPEN SLASH NAME CLOSE | OPEN NAME attribute* SLASH CLOSE ;
attribute : NAME EQ STRING | CDATA ;
