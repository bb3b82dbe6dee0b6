var a = 1;
if (a < 2 { a = ; }
function (b) { return b }
a = a # 3;
}
