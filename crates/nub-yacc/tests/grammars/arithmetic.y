/* The arithmetic language of Misherghi's thesis (section 5.3), with the usual precedences. */
%{
#include <stdio.h>
%}
%union { double value; }
%token <value> N "number"
%type <value> e
%left '+' '-'
%left '*' '/'

%%

e : e '*' e     { $$ = $1 * $3; }
  | e '/' e     { $$ = $1 / $3; }
  | e '+' e     { $$ = $1 + $3; }
  | e '-' e     { $$ = $1 - $3; }
  | '(' e[inner] ')' { $$ = $inner; }
  | N
  ;

%%

int main(void) { return yyparse(); }
