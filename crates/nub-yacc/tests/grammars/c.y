/* A subset of C: no typedef, no function pointers, no bit fields. */
%token IDENTIFIER CONSTANT STRING
%token INC_OP DEC_OP PTR_OP LEFT_OP RIGHT_OP LE_OP GE_OP EQ_OP NE_OP AND_OP OR_OP ADD_ASSIGN SUB_ASSIGN
%token INT CHAR VOID LONG UNSIGNED DOUBLE STATIC CONST STRUCT
%token IF ELSE WHILE DO FOR RETURN BREAK CONTINUE GOTO SIZEOF SWITCH CASE DEFAULT
%expect 1   /* the else */

%%

translation_unit : external_declaration | translation_unit external_declaration ;

external_declaration : function_definition | declaration ;

function_definition : specifiers declarator compound_statement ;

declaration : specifiers ';' | specifiers init_declarators ';' ;

specifiers : specifier | specifiers specifier ;

specifier : INT | CHAR | VOID | LONG | UNSIGNED | DOUBLE | STATIC | CONST | struct_specifier ;

struct_specifier
  : STRUCT IDENTIFIER '{' struct_declarations '}'
  | STRUCT '{' struct_declarations '}'
  | STRUCT IDENTIFIER
  ;

struct_declarations : struct_declaration | struct_declarations struct_declaration ;

struct_declaration : specifiers declarators ';' ;

declarators : declarator | declarators ',' declarator ;

init_declarators : init_declarator | init_declarators ',' init_declarator ;

init_declarator : declarator | declarator '=' initializer ;

initializer : assignment_expression | '{' initializers '}' | '{' initializers ',' '}' ;

initializers : initializer | initializers ',' initializer ;

declarator : pointer direct_declarator | direct_declarator ;

pointer : '*' | '*' pointer ;

direct_declarator
  : IDENTIFIER
  | '(' declarator ')'
  | direct_declarator '[' ']'
  | direct_declarator '[' conditional_expression ']'
  | direct_declarator '(' ')'
  | direct_declarator '(' parameters ')'
  ;

parameters : parameter | parameters ',' parameter ;

parameter : specifiers declarator | specifiers pointer | specifiers ;

compound_statement : '{' '}' | '{' items '}' ;

items : item | items item ;

item : declaration | statement ;

statement
  : IDENTIFIER ':' statement
  | CASE conditional_expression ':' statement
  | DEFAULT ':' statement
  | compound_statement
  | ';'
  | expression ';'
  | IF '(' expression ')' statement
  | IF '(' expression ')' statement ELSE statement
  | SWITCH '(' expression ')' statement
  | WHILE '(' expression ')' statement
  | DO statement WHILE '(' expression ')' ';'
  | FOR '(' optional_expression ';' optional_expression ';' optional_expression ')' statement
  | GOTO IDENTIFIER ';'
  | CONTINUE ';'
  | BREAK ';'
  | RETURN ';'
  | RETURN expression ';'
  ;

optional_expression : /* empty */ | expression ;

expression : assignment_expression | expression ',' assignment_expression ;

assignment_expression : conditional_expression | unary_expression assignment_operator assignment_expression ;

assignment_operator : '=' | ADD_ASSIGN | SUB_ASSIGN ;

conditional_expression
  : logical_or_expression
  | logical_or_expression '?' expression ':' conditional_expression
  ;

logical_or_expression : logical_and_expression | logical_or_expression OR_OP logical_and_expression ;

logical_and_expression : or_expression | logical_and_expression AND_OP or_expression ;

or_expression : xor_expression | or_expression '|' xor_expression ;

xor_expression : and_expression | xor_expression '^' and_expression ;

and_expression : equality_expression | and_expression '&' equality_expression ;

equality_expression
  : relational_expression
  | equality_expression EQ_OP relational_expression
  | equality_expression NE_OP relational_expression
  ;

relational_expression
  : shift_expression
  | relational_expression '<' shift_expression
  | relational_expression '>' shift_expression
  | relational_expression LE_OP shift_expression
  | relational_expression GE_OP shift_expression
  ;

shift_expression
  : additive_expression
  | shift_expression LEFT_OP additive_expression
  | shift_expression RIGHT_OP additive_expression
  ;

additive_expression
  : multiplicative_expression
  | additive_expression '+' multiplicative_expression
  | additive_expression '-' multiplicative_expression
  ;

multiplicative_expression
  : cast_expression
  | multiplicative_expression '*' cast_expression
  | multiplicative_expression '/' cast_expression
  | multiplicative_expression '%' cast_expression
  ;

cast_expression : unary_expression | '(' type_name ')' cast_expression ;

type_name : specifiers | specifiers pointer ;

unary_expression
  : postfix_expression
  | INC_OP unary_expression
  | DEC_OP unary_expression
  | unary_operator cast_expression
  | SIZEOF unary_expression
  | SIZEOF '(' type_name ')'
  ;

unary_operator : '&' | '*' | '+' | '-' | '~' | '!' ;

postfix_expression
  : primary_expression
  | postfix_expression '[' expression ']'
  | postfix_expression '(' ')'
  | postfix_expression '(' arguments ')'
  | postfix_expression '.' IDENTIFIER
  | postfix_expression PTR_OP IDENTIFIER
  | postfix_expression INC_OP
  | postfix_expression DEC_OP
  ;

arguments : assignment_expression | arguments ',' assignment_expression ;

primary_expression : IDENTIFIER | CONSTANT | STRING | '(' expression ')' ;
