var a = 1
var b = a
/* c
 */ var d = function () { return { x: 1 } }
if (a) b
else d
a = b /* multi
line */ d
;[1, , 2,].x
!function () { }()
return_: { break return_ }
