package p
func f() int { return g(1)(2)[3].h(len(x), int(y), []byte("s"), map[string]int{"a": 1}) }
func g() {}
func e()
var c chan int; var d <-chan int; var e chan<- (chan int)
