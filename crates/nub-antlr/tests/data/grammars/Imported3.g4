grammar Imported3;
d : W | FROM_IMPORT ;
W : 'w' ;
