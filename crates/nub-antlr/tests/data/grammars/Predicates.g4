grammar Predicates;
@header { import x; }
@parser::members { int x = '}'; /* } */ // }
}
s[int a] returns [int b] throws E locals [int c]
@init { start("}"); }
@after { end(); }
  : {a > 1}? X {act();} | {$a > 1}?<fail='no'> Y | {\$x}? X | {/* $b */ q}? Y | t[3] ({p()}? X | Y)* {in();} e ;
catch [RuntimeException e] { throw e; }
finally { done(); }
t [int q] : {true}? ;
e : e {pp()}? '*' e | e '+' e | {bb()}? X | {cc()}? {dd();} Y ;
X : {lex()}? 'x' {one();} ;
Y : 'y' {two();} 'z'? {one();} ;
