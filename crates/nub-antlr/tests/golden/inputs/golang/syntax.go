package main

import (
	"fmt"
	m "math"
	. "os"
	_ "x/y"
)

const ( A = iota; B; C, D = 1 << A, "s" )
type ( T struct { a, b int `tag`; *E; F.G; m map[string][]chan<- int }; I interface { M(int, ...string) (r bool, err error); ~int | string; E }; L = []T; Gen[K comparable, V any] map[K]V )
var x, y int = 1, 2
var f = func(a int, b ...string) (c int) { return a }

func (t *T) Method(a, b int, c func(int) bool) (x int, err error) {
	x = a<<2 &^ b | c ^ 3
	if v, ok := m["a"]; !ok { return } else if v > 1 { goto end } else { }
	for i := 0; i < 10; i++ { continue }
	for k, v := range m { _ = k; break }
	for { }
	for x < 3 { x++ }
	switch y := x.(type) { case int, nil: fallthrough; default: y() }
	switch { case x > 1, x < 0: return 1, nil }
	select { case v := <-ch: v(); case ch <- 1: default: }
	go func() { defer f(1, s...) }()
	var a [3]int = [...]int{1, 2, 5: 3}
	s := []T{{a: 1}, {2, 3}}[1:2:3]
	*p, q.r = &T{}, 'x'
	z := 0x1F + 0b1 + 0o7 + 1e3 + 1i + '\n' + "a\tb" + `raw
string`
end:
	ch <- <-ch
	return
}
func Generic[T any, U ~int](t T) U { return U(t) }
