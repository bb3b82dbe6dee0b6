/* A subset of Lua 5.1. Its conflicts are those of Lua itself: a `(` after something callable starts a call. */
%expect 1
%token AND BREAK DO ELSE ELSEIF END_ FALSE FOR FUNCTION IF IN LOCAL NIL NOT OR REPEAT RETURN THEN TRUE UNTIL WHILE
%token NAME STRING NUMBER
%token EQUAL "==" LESS_EQUAL "<=" GREATER_EQUAL ">=" NOT_EQUAL "~=" CONCAT ".." DOTS "..."

%left OR
%left AND
%left '<' '>' "<=" ">=" "~=" "=="
%right ".."
%left '+' '-'
%left '*' '/' '%'
%right NOT '#' UNARY
%right '^'

%%

chunk : block ;

block : statements | statements last ;

statements : %empty | statements statement ;

last : RETURN semicolon | RETURN expressions semicolon | BREAK semicolon ;

semicolon : %empty | ';' ;

/* Before `statement`, so that a call followed by `(` becomes part of a longer call rather than a statement. */
variable : NAME | prefix '[' expression ']' | prefix '.' NAME ;

prefix : variable | call | '(' expression ')' ;

call : prefix arguments | prefix ':' NAME arguments ;

statement
  : ';'
  | variables '=' expressions
  | call
  | DO { enter(); } block END_ { leave(); }
  | WHILE expression DO block END_
  | REPEAT block UNTIL expression
  | IF expression THEN block elseifs else END_
  | FOR NAME '=' expression ',' expression DO block END_
  | FOR NAME '=' expression ',' expression ',' expression DO block END_
  | FOR names IN expressions DO block END_
  | FUNCTION function_name body
  | LOCAL FUNCTION NAME body
  | LOCAL names
  | LOCAL names '=' expressions
  ;

elseifs : %empty | elseifs ELSEIF expression THEN block ;

else : %empty | ELSE block ;

function_name : dotted | dotted ':' NAME ;

dotted : NAME | dotted '.' NAME ;

names : NAME | names ',' NAME ;

variables : variable | variables ',' variable ;

arguments : '(' ')' | '(' expressions ')' | table | STRING ;

expressions : expression | expressions ',' expression ;

expression
  : NIL | TRUE | FALSE | NUMBER | STRING | DOTS
  | FUNCTION body
  | prefix
  | table
  | expression OR expression
  | expression AND expression
  | expression '<' expression
  | expression '>' expression
  | expression "<=" expression
  | expression ">=" expression
  | expression "~=" expression
  | expression "==" expression
  | expression ".." expression
  | expression '+' expression
  | expression '-' expression
  | expression '*' expression
  | expression '/' expression
  | expression '%' expression
  | expression '^' expression
  | NOT expression
  | '#' expression
  | '-' expression %prec UNARY
  ;

body : '(' ')' block END_ | '(' parameters ')' block END_ ;

parameters : names | DOTS | names ',' DOTS ;

table : '{' '}' | '{' fields '}' | '{' fields separator '}' ;

fields : field | fields separator field ;

separator : ',' | ';' ;

field : '[' expression ']' '=' expression | NAME '=' expression | expression ;
