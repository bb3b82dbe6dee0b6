grammar LeftRecursion;
s : e a b c d g h EOF ;
// Suffix alternatives written before binary ones come after them in the loop.
e : e '[' e ']'            # index
  | e '++'                 # post
  | '-' e                  # neg
  | left=e op=('*'|'/') right=e  # mul
  | e ('+'|'-') e          # add
  | <assoc=right> e '^' e  # pow
  | <assoc=right> e '?' e ':' e # cond
  | xs+=e '=' xs+=e        # assign
  | 'f' '(' e (',' e)* ')' # call
  | '(' e ')' e            # cast
  | 'new' x=e              # create
  | INT                    # num
  | ID                     # id
  ;
a : a INT | INT ;
b : INT | b ',' INT | b '!' b {after();} | {pre();} 'x' b {mid();} ;
c : c '.' d | ID c ID | ID ;
d : <assoc=left> d '&' d | d '|' c e | c ;
g : g {first()}? '+' g | {$text}? INT | (ID | INT) | g (ID | INT)+ ;
h : h '^'<assoc=right> h | 'k' h 'm' h | e ;
INT : [0-9]+ ;
ID : [a-z]+ ;
WS : [ \t\r\n]+ -> skip ;
