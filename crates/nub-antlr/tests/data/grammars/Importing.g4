grammar Importing;
import Imported, Imported2;
s : a b c 'root' ;
a : X ;
Y : 'y' ;
