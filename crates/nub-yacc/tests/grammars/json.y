%token STRING NUMBER TRUE FALSE NULL_VALUE
%start json

%%

json : value ;

value : object | array | STRING | NUMBER | TRUE | FALSE | NULL_VALUE ;

object : '{' '}' | '{' members '}' ;

members : member | members ',' member ;

member : STRING ':' value ;

array : '[' ']' | '[' values ']' ;

values : value | values ',' value ;
