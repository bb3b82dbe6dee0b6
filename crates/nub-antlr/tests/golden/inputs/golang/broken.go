package
func f( {
}
