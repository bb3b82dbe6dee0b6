parser grammar PageParser;

options { tokenVocab = PageLexer; }

page : part+ EOF ;

part : element | words ;

words : (TEXT | BRACE)+ ;

element
    : OPEN name attribute* SLASH_END              # Empty
    | OPEN name attribute* END part*? CLOSE_OPEN name END   # Full
    ;

attribute : name (IS value = STRING)? ;

name : NAME ;
