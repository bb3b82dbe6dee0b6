grammar Ambiguous;
// Several alternatives match: the first one wins, even where the others could match more.
s : (x | y | z)+ EOF ;
x : A B | A ;
y : A B C ;
z : B C | C | w ;
w : 'd' w | 'd' w 'e' w | 'd' ;
A : 'a' ; B : 'b' ; C : 'c' ;
