package ir

import (
	"reflect"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/scalar"
)

// Walk reaches the statements of every kind of block, each before those within it.
func TestWalk(t *testing.T) {
	let := func(r Ref) Block { return Block{&Let{Dst: r}} }
	b := Block{
		&Loop{Body: let(1)}, &Reduce{Body: let(2)}, &Cumulate{Body: let(3), Then: let(4)},
		&While{Cond: let(5), Body: let(6)}, &If{Then: let(7), Else: let(8)},
		&Loop{Body: Block{&If{Then: Block{&Loop{Body: let(9)}}}}},
	}
	var got []string
	b.Walk(func(s Stmt) {
		if l, ok := s.(*Let); ok {
			got = append(got, string(rune('0'+l.Dst)))
			return
		}
		got = append(got, strings.TrimPrefix(reflect.TypeOf(s).String(), "*ir."))
	})
	want := "Loop 1 Reduce 2 Cumulate 3 4 While 5 6 If 7 8 Loop If Loop 9"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// Reads lists every value that a statement reads, and none of those that statements within
// it read.
func TestReads(t *testing.T) {
	at := Access{Coords: []Coord{{Value: 1}, {Value: NoRef}}}
	inner := Block{&Store{At: at, Value: 90}}
	for _, c := range []struct {
		s    Stmt
		want []Ref
	}{
		{&Let{Dst: 9, Inst: scalar.Inst{Args: [3]Ref{1, 2, NoRef}}}, []Ref{1, 2}},
		{&Apply{Args: []Ref{1, 2, 3}}, []Ref{1, 2, 3}},
		{&Index{Dst: 1}, nil},
		{&Load{Dst: 9, At: at}, []Ref{1}},
		{&Store{At: at, Value: 2}, []Ref{1, 2}},
		{&Loop{Carry: []Carry{{Init: 1, Next: 2, Param: 8, Result: 9}}, Body: inner}, []Ref{1, 2}},
		{&While{Carry: []Carry{{Init: 1, Next: 2}}, Test: 3, Cond: inner, Body: inner}, []Ref{1, 2, 3}},
		{&If{Cond: 1, Merge: []Merge{{Then: 2, Else: 3}}, Then: inner, Else: inner}, []Ref{1, 2, 3}},
		{&Reduce{Folds: []Fold{{Value: 1, Second: NoRef}, {Value: 2, Second: 3}}, Body: inner}, []Ref{1, 2, 3}},
		{&Cumulate{Value: 1, Param: 9, Body: inner, Then: inner}, []Ref{1}},
	} {
		var got []Ref
		Reads(c.s, func(r Ref) { got = append(got, r) })
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%T: got %v, want %v", c.s, got, c.want)
		}
	}
}
