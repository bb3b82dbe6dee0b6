class A { int f( { return; } 
