grammar Imported2;
c : Z b d ;
b : 'ignored' ;
Z : 'z' ;
