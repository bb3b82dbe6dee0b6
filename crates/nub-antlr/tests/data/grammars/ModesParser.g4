parser grammar ModesParser;
options { tokenVocab = ModesLexer; superClass = PBase; }
tokens { EXTRA }
s : (TEXT | tag)* EOF ;
tag : '<' NAME attr* '>' ;
attr : NAME T1 | EXTRA {x}? ;
