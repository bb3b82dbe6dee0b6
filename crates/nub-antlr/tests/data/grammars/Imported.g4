grammar Imported;
import Imported3;
tokens { FROM_IMPORT }
s : 'never' ;
b : Y 'imported' ;
X : 'x' ;
Y : 'other' ;
