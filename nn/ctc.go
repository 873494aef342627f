package nn

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// CTCConfig sets the lengths of the sequences of [CTC] and the blank. Its zero value uses the
// whole sequences.
type CTCConfig struct {
	Steps  weft.Array // steps in use of each example, integers [batch…]; the zero Array: all
	Labels weft.Array // labels in use of each example, integers [batch…]; the zero Array: all
	Blank  int        // the class that stands for no label
}

// CTC returns the connectionist temporal classification loss (Graves et al., 2006) of each
// example: −log of the probability that the steps spell the labels, with blanks and repetitions
// left out. logits is [batch…, steps, classes], labels integers [batch…, labels]. Where the steps
// are too few for the labels, the loss is +Inf.
func CTC(logits, labels weft.Array, c CTCConfig) weft.Array {
	const op = "CTC"
	a, b := nd.ValueOf(op, logits).Aval(), nd.ValueOf(op, labels).Aval()
	n := a.Rank()
	if n < 2 || b.Rank() != n-1 || a.Shape.Slice(0, n-2) != b.Shape.Slice(0, n-2) || !b.DType.IsInteger() {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "logits must be [batch…, steps, classes] and labels integers [batch…, labels] (got %v and %v); reshape them", a.Full(), b.Full())
	}
	if c.Blank < 0 || c.Blank >= a.Shape.At(n-1) || a.Shape.At(n-2) == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "needs at least one step and a class for the blank (got %v and class %d); check the shape and the blank", a.Full(), c.Blank)
	}
	batch := []int(logits.Shape()[:n-2])
	c.Steps = lengths(op, "Steps", c.Steps, batch, logits.Dim(-2))
	c.Labels = lengths(op, "Labels", c.Labels, batch, labels.Dim(-1))
	return nd.WithJAXPromotion(func() weft.Array { return ctc(LogSoftmax(logits), labels, c, batch) })
}

// lengths returns the given lengths, or the whole length for each example.
func lengths(op, name string, x weft.Array, batch []int, all int) weft.Array {
	if x.IsZero() {
		return weft.Full(batch, int32(all))
	}
	if a := x.Value().Aval(); !a.DType.IsInteger() || a.Shape != core.MakeDims(batch...) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%s must be integers, one for each example (got %v, want shape %v); convert or reshape them", name, a.Full(), batch)
	}
	return x
}

// ctc runs the forward recursion over the path blank, label 0, blank, label 1, …, blank, whose
// states are the last axis.
func ctc(logP, labels weft.Array, c CTCConfig, batch []int) weft.Array {
	states := 2*labels.Dim(-1) + 1
	rank := len(batch)
	// The elements after the labels in use may be no classes: they become blanks.
	labels = weft.Where(weft.Iota(weft.Int32, 0, labels.Dim(-1)).Lt(c.Labels.AsType(weft.Int32).ExpandDims(-1)), labels.AsType(weft.Int32), int32(c.Blank))
	path := weft.Full(append(append([]int{}, batch...), states), int32(c.Blank))
	if labels.Dim(-1) > 0 {
		path = path.At(weft.Ellipsis, weft.R(1, states).By(2)).Set(labels)
	}
	emitted := weft.TakeAlongAxis(logP, path.ExpandDims(-2), -1).MoveAxis(rank, 0) // [steps, batch…, states]

	// A state can be entered from the one two before it, unless it is blank or the same label.
	before := weft.Concat(-1, path.Index(weft.Ellipsis, weft.R(0, min(2, states))), path)
	skips := path.Ne(c.Blank).And(path.Ne(before.Index(weft.Ellipsis, weft.R(0, states))))
	skips = skips.And(weft.Iota(weft.Int32, 0, states).Ge(2))

	impossible := weft.FullLike(weft.ZerosOf(logP.DType(), append(append([]int{}, batch...), 1)...), math.Inf(-1))
	delayed := func(x weft.Array, by int) weft.Array {
		padding := weft.Concat(-1, impossible, impossible)
		return weft.Concat(-1, padding, x).Index(weft.Ellipsis, weft.R(2-by, 2-by+states))
	}
	// The first step is in the first blank or the first label.
	first := weft.Where(weft.Iota(weft.Int32, 0, states).Lt(2), emitted.Index(0), impossible)
	// Without steps only the empty sequence of labels is possible.
	none := weft.Where(weft.Iota(weft.Int32, 0, states).Lt(1), 0, impossible)
	first = weft.Where(c.Steps.Gt(0).ExpandDims(-1), first, none)
	type step struct{ Number, Emitted weft.Array }
	rest := step{weft.Iota(weft.Int32, 0, emitted.Dim(0)).Index("1:"), emitted.Index("1:")}
	last, _ := weft.Scan(func(reached weft.Array, s step) (weft.Array, struct{}) {
		next := weft.LogAddExp(reached, delayed(reached, 1))
		next = weft.LogAddExp(next, weft.Where(skips, delayed(reached, 2), math.Inf(-1)))
		next = next.Add(s.Emitted)
		return weft.Where(c.Steps.Gt(s.Number).ExpandDims(-1), next, reached), struct{}{}
	}, first, rest)

	end := c.Labels.AsType(weft.Int32).Mul(2).ExpandDims(-1) // the blank after the last label
	atBlank := weft.TakeAlongAxis(last, end, -1)
	atLabel := weft.Where(end.Gt(0), weft.TakeAlongAxis(last, weft.Maximum(end.Sub(1), 0), -1), math.Inf(-1))
	return weft.LogAddExp(atBlank, atLabel).Squeeze(-1).Neg()
}
