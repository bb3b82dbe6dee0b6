; constants
@a = global double 0x400921FB54442D18
@b = global float 1.5e+00
@c = constant <4 x i32> <i32 1, i32 -2, i32 undef, i32 0>
@d = global { i8, i1 } { i8 3, i1 true }
@e = global [2 x i16] zeroinitializer
@f = global i8* null
@"quoted name" = internal global i64 ptrtoint (i8* @x to i64)
@x = global i8 0
