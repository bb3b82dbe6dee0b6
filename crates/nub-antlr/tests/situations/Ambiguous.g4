grammar Ambiguous;
// Several alternatives fit: the first one wins, also where the others could go on for longer.
s : (x | y | z)+ EOF ;
x : A B | A ;
y : A B C ;
z : B C | C | w ;
w : 'd' w | 'd' w 'e' w | 'd' ;
A : 'a' ; B : 'b' ; C : 'c' ;
