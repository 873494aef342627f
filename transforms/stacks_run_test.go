package transforms_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// outcome is what became of a stack.
type outcome int

const (
	agrees outcome = iota
	refuses
	illConditioned // rounding errors alone change the number
	wrong
)

func (o outcome) String() string {
	return [...]string{"with a value", "refused by principle", "too sensitive to rounding errors to judge", "wrong"}[o]
}

func stackName(stack []wrapper, k int) string {
	names := []string{outerNames[k]}
	for _, w := range stack {
		names = append(names, wrapperNames[w])
	}
	return strings.Join(names, " ")
}

// runStack compares the stack under outer transformation k with its meaning. There are
// two refusals of principle, each only where the reference finds its reason: reverse mode
// through a while loop, and forward mode through a reverse rule.
func runStack(t *testing.T, stack []wrapper, k int) outcome {
	t.Helper()
	name := stackName(stack, k)
	mean := func(m dualMachine) float64 {
		return outer(m, k, func(c *dnum) *dnum { return build(m, stack, c)(m.num(0.8)) })(m.num(0.3)).v
	}
	want := mean(newDualMachine(nil))
	outs, err := attempt(func() []val {
		wm := weftMachine{}
		return []val{outer(wm, k, func(c val) val { return build(wm, stack, c)(wm.num(0.8)) })(runtimeScalar(0.3))}
	})
	if err != nil {
		dm := newDualMachine(nil)
		dm.visitAll = true
		mean(dm)
		if s := err.Error(); dm.reverseWhile && strings.Contains(s, "While loop") || dm.forwardCustom && strings.Contains(s, "custom.VJP") {
			return refuses
		}
		t.Errorf("%s: %v", name, err)
		return wrong
	}
	got, ok := literalOrArray(outs[0])
	if !ok {
		t.Errorf("%s: the result is %v, not a number", name, outs[0])
		return wrong
	}
	if math.Abs(got-want) <= 1e-9*max(1, math.Abs(want)) {
		return agrees
	}
	d := spread(mean)
	switch {
	case !(d <= 1e-4*math.Abs(want)): // also of numbers that are not finite
		return illConditioned
	case math.Abs(got-want) <= 32*d:
		return agrees
	}
	t.Errorf("%s: got %v, want %v; rounding errors make %.2g", name, got, want, d)
	return wrong
}

// stackTally runs stacks and counts what becomes of them.
type stackTally map[outcome]int

func (n stackTally) run(t *testing.T, stack []wrapper, k int) { n[runStack(t, stack, k)]++ }

func (n stackTally) log(t *testing.T) {
	t.Helper()
	total := 0
	for _, k := range n {
		total += k
	}
	t.Logf("%d programs: %d %v, %d %v, %d %v", total, n[agrees], agrees, n[refuses], refuses, n[illConditioned], illConditioned)
	if 20*n[illConditioned] > total {
		t.Errorf("of %d programs, %d are %v", total, n[illConditioned], illConditioned)
	}
}

// exhaustively runs all stacks of the first kinds of wrappers up to a depth.
func exhaustively(t *testing.T, depth int, kinds wrapper) {
	n := stackTally{}
	var walk func(stack []wrapper)
	walk = func(stack []wrapper) {
		if len(stack) > 0 {
			for k := range outerNames {
				n.run(t, stack, k)
			}
		}
		if len(stack) < depth {
			for w := range kinds {
				walk(append(stack, w))
			}
		}
	}
	walk(make([]wrapper, 0, depth))
	n.log(t)
}

// randomly runs random stacks of all wrappers.
func randomly(t *testing.T, depth, programs int, seed uint64) {
	n := stackTally{}
	r := rand.New(rand.NewPCG(seed, uint64(depth)))
	for range programs {
		stack := make([]wrapper, depth)
		for i := range stack {
			stack[i] = wrapper(r.IntN(int(numWrappers)))
		}
		n.run(t, stack, r.IntN(len(outerNames)))
	}
	n.log(t)
}

var stackSeed = flag.Uint64("stackseed", 1, "the seed of random stacks of transformations")

// TestStacks runs every stack of plain wrappers, and of all wrappers, up to a depth,
// and random deeper ones.
func TestStacks(t *testing.T) {
	t.Parallel()
	plain, all := plainDepth, allDepth
	if testing.Short() {
		plain, all = min(plain, 2), 1
	}
	t.Run("plain", func(t *testing.T) { t.Parallel(); exhaustively(t, plain, numPlain) })
	t.Run("all", func(t *testing.T) { t.Parallel(); exhaustively(t, all, numWrappers) })
	for k, programs := range randomStacks {
		if depth := k + all + 1; !testing.Short() {
			t.Run(fmt.Sprint("depth ", depth), func(t *testing.T) { t.Parallel(); randomly(t, depth, programs, *stackSeed) })
		}
	}
}
