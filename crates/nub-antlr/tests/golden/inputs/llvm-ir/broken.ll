define i32 @f( {
 ret
}
