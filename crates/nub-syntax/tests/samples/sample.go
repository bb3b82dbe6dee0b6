package main

import (
	"fmt"
	str "strings"
)

// Point is a point.
type Point struct {
	X, Y int `json:"x"`
	*Base
}

type Shape interface {
	Area() float64
	fmt.Stringer
}

const (
	A = iota
	B
)

var table = map[string][]int{"a": {1, 2}, "b": nil}

func (p *Point) Area(scale float64, rest ...int) (r float64, err error) {
	defer func() { recover() }()
	if v, ok := table["a"]; ok && len(v) > 0 {
		return scale * 2, nil
	} else if p == nil {
		goto end
	}
	for i := 0; i < 10; i++ {
		switch x := any(i).(type) {
		case int, string:
			fmt.Println(x, 'c', `raw`)
			fallthrough
		default:
			continue
		}
	}
	for k, v := range table {
		go str.ToUpper(k + fmt.Sprint(v[1:2]))
	}
	select {
	case c := <-ch:
		c <- 1
	default:
	}
end:
	return
}

func Map[T any, U comparable](xs []T, f func(T) U) []U { return []U{f(xs[0])} }
