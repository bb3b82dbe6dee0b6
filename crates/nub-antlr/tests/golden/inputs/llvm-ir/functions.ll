source_filename = "x.c"
target datalayout = "e-m:e"
target triple = "x86_64-pc-linux-gnu"
%struct.S = type { i32, [4 x i8], %struct.S*, <2 x float>, { i64 } }
@g = dso_local global i32 5, align 4
@.str = private unnamed_addr constant [3 x i8] c"a\0A\00", align 1
@e = external global i8
declare i32 @printf(i8* noundef, ...)
define dso_local i32 @f(i32 %0, i32* nocapture %p) #0 {
entry:
  %a = alloca i32, align 4
  store i32 %0, i32* %a, align 4
  %1 = load i32, i32* %a, align 4
  %c = icmp slt i32 %1, 10
  br i1 %c, label %then, label %else
then:
  %m = mul nsw i32 %1, 3
  br label %end
else:
  %x = call i32 (i8*, ...) @printf(i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str, i64 0, i64 0), i32 %1)
  switch i32 %x, label %end [ i32 0, label %then
    i32 1, label %end ]
end:
  %r = phi i32 [ %m, %then ], [ 0, %else ], [ 1, %else ]
  %s = select i1 %c, i32 %r, i32 undef
  ret i32 %s
}
attributes #0 = { noinline nounwind "frame-pointer"="all" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
