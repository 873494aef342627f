package wasm

import (
	"slices"

	"github.com/weft-go/weft/lower/native"
)

// A nest is the control flow of a list in blocks and loops: a label that is the target of forward
// jumps ends a block, a target of backward jumps begins a loop.
type nest struct {
	opens    [][]construct // by instruction: what begins in front of it, the outermost first
	loopEnds []native.Label
}

// A construct is a block or a loop.
type construct struct {
	label native.Label
	loop  bool
}

const noLabel native.Label = -1

// nestOf finds where blocks begin. A block may begin earlier than at the first jump that leaves it, so that no
// other block or loop lies partly in it.
func nestOf(list []native.Inst, labels int) nest {
	bound := make([]int, labels)
	first, last := make([]int, labels), make([]int, labels) // jumps to a label: the first forwards, the last back; −1: none
	for l := range labels {
		bound[l], first[l], last[l] = -1, -1, -1
	}
	for i := range list {
		if list[i].Kind == native.KindLabel {
			bound[list[i].Label] = i
		}
	}
	jumps := func(i int) bool {
		return list[i].Kind == native.KindJump || list[i].Kind == native.KindBranch
	}
	for i := range list {
		if !jumps(i) {
			continue
		}
		switch l := list[i].Label; {
		case bound[l] < 0:
			panic("BUG: wasm: a jump to nowhere")
		case bound[l] < i:
			last[l] = i
		case first[l] < 0:
			first[l] = i
		}
	}
	n := nest{opens: make([][]construct, len(list)), loopEnds: make([]native.Label, len(list))}
	var open []construct // what ends behind the present instruction, the outermost first
	ready := make([]bool, labels)
	begin := func(i int) { // blocks that may begin here
		for k := len(open) - 1; k >= 0 && !open[k].loop && ready[open[k].label]; k-- {
			n.opens[i] = append(n.opens[i], open[k])
			open = open[:k]
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		n.loopEnds[i] = noLabel
		l := list[i].Label
		switch {
		case jumps(i):
			if last[l] == i {
				open = append(open, construct{l, true})
				n.loopEnds[i] = l
			}
			if first[l] == i {
				ready[l] = true
				begin(i)
			}
		case list[i].Kind == native.KindLabel:
			if last[l] >= 0 {
				k := len(open) - 1
				if k < 0 || open[k] != (construct{l, true}) {
					panic("BUG: wasm: a jump into a loop")
				}
				n.opens[i] = append(n.opens[i], open[k])
				open = open[:k]
				begin(i)
			}
			if first[l] >= 0 {
				open = append(open, construct{l, false})
			}
		}
	}
	if len(open) > 0 {
		panic("BUG: wasm: a block without a beginning")
	}
	for _, o := range n.opens { // found from the innermost
		slices.Reverse(o)
	}
	return n
}
