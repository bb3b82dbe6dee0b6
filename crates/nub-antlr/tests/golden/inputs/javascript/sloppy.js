var let_ = 017, static, yield_; let
= 1; interface = package
function f() { "use strict"; let x = 1 } 
function g() { var y = 07 }
<!-- html --> var z
/* multi
line */ x
/* one */
y; a
/* c
d */ b
