grammar Case;
options { caseInsensitive = true; }
s : 'select' Id Num Mixed Exact 'é' ;
Id : [a-z_] [a-z0-9_]* ;
Num : '0x' ('a'..'f' | '0'..'9')+ ;
Mixed : [A-t] [0-z] ~[a-c] ~'x' 'ß' 'ÀÿİıſK' [à-þ] [ǆǅ] 'ᾀ' ;
Exact options { caseInsensitive = false; } : 'Exact' [a-z]+ ;
