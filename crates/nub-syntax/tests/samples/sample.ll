; ModuleID = 'sample'
source_filename = "sample.c"
target triple = "x86_64-pc-linux-gnu"
%struct.P = type { i32, ptr }
@g = global i32 1, align 4
@s = private constant [3 x i8] c"ab\00"
declare i32 @printf(ptr, ...)
define i32 @f(i32 %a, ptr %b) #0 {
entry:
  %x = alloca i32, align 4
  store i32 %a, ptr %x, align 4
  %c = icmp sgt i32 %a, 0
  br i1 %c, label %then, label %else
then:
  %y = add nsw i32 %a, 1
  br label %end
else:
  %z = call i32 (ptr, ...) @printf(ptr @s, i32 %a)
  br label %end
end:
  %p = phi i32 [ %y, %then ], [ %z, %else ]
  ret i32 %p
}
attributes #0 = { nounwind "x"="y" }
!0 = !{i32 1, !"a"}
