package transforms_test

// Every stack of wrappers of a given depth around a function that closes over a
// traced value c, under every outer transformation with respect to c, is compared
// with nested dual numbers and loops: an independent implementation of what the
// wrappers mean for scalars.

// machine is what a stack of wrappers is run on.
type machine[T any] interface {
	num(float64) T
	add(x, y T) T
	mul(x, y T) T
	sin(x T) T
	stop(x T) T // x without its derivatives

	jit(f func(T) T) func(T) T
	grad(f func(T) T) func(T) T
	jvp(f func(T) T) func(T) T  // value plus derivative
	vmap(f func(T) T) func(T) T // f(x) + f(2x), as a sum over a batch
	remat(f func(T) T) func(T) T
	scan(f func(T) T) func(T) T  // three steps c ← f(c)/2, beside an integer counter
	while(f func(T) T) func(T) T // the same as a while loop
	cond(f func(T) T) func(T) T  // f(x) if x > 0.1, else sin
	customJVP(f func(T) T) func(T) T
	customVJP(f func(T) T) func(T) T

	linearize(f func(T) T) func(T) T // the derivative
	jacfwd(f func(T) T) func(T) T    // the derivative, by a batch of tangents
	jacrev(f func(T) T) func(T) T    // the derivative, by a batch of cotangents
	policy(f func(T) T) func(T) T    // remat that keeps the sines
	fori(f func(T) T) func(T) T      // two steps c ← f(c)/2 + i/10
	scanXs(f func(T) T) func(T) T    // over x/2 and 3x/2, with outputs, see dualMachine
	scanBack(f func(T) T) func(T) T  // the same from the end
	search(f func(T) T) func(T) T    // a while loop whose end depends on what it carries
	branch(f func(T) T) func(T) T    // one of three branches
	named(f func(T) T) func(T) T     // a batch that is summed over by its name
	linear(f func(T) T) func(T) T    // the transpose of a function that closes over f(x)
	solve(f func(T) T) func(T) T     // of (2 + x²) y = f(x), by a solver of the user's
	linearCall(f func(T) T) func(T) T
	ruleJVP(f func(T) T) func(T) T    // a forward rule that takes the derivative of f itself
	ruleVJP(f func(T) T) func(T) T    // a reverse rule that does
	customVmap(f func(T) T) func(T) T // a batching rule that maps f itself
	stopped(f func(T) T) func(T) T    // f(x) times f(x) without derivatives
}

type wrapper int

const (
	jitClosing wrapper = iota // a jit whose function closes over c
	jitted
	graded
	jvped
	vmapped
	rematted
	scanned
	conded
	custJVP
	custVJP
	whiled
	numPlain // those above make the exhaustive stacks

	linearized wrapper = iota - 1
	jacfwded
	jacreved
	policied
	foried
	scannedXs
	scannedBack
	searched
	branched
	namedAxis
	linearTransposed
	solved
	linearCalled
	ruledJVP
	ruledVJP
	custVmap
	stopped
	numWrappers
)

var wrapperNames = [numWrappers]string{"jitc", "jit", "grad", "jvp", "vmap", "remat", "scan", "cond", "customjvp", "customvjp", "while",
	"linearize", "jacfwd", "jacrev", "policy", "fori", "scanxs", "scanback", "search", "branch", "named", "linear", "solve", "linearcall", "rulejvp", "rulevjp",
	"customvmap", "stopped"}

// build wraps the base function in the stack, outermost first.
func build[T any](m machine[T], stack []wrapper, c T) func(T) T {
	if len(stack) == 0 {
		return func(x T) T { return m.mul(m.sin(m.mul(x, m.num(0.7))), m.add(c, x)) }
	}
	w, inner := stack[0], stack[1:]
	switch w {
	case jitClosing:
		f := build(m, inner, c)
		return m.jit(func(x T) T { return m.mul(f(x), c) })
	case custJVP, custVJP, ruledJVP, ruledVJP, custVmap:
		// Custom rules do not differentiate, and not map, what they close over: c is
		// passed as a part of the argument, here frozen in a program that does not
		// use it.
		f := build(m, inner, m.num(0.9))
		wrap := map[wrapper]func(func(T) T) func(T) T{
			custJVP: m.customJVP, custVJP: m.customVJP, ruledJVP: m.ruleJVP, ruledVJP: m.ruleVJP, custVmap: m.customVmap}
		g := wrap[w](f)
		return func(x T) T { return m.mul(g(x), c) }
	}
	wrap := [numWrappers]func(func(T) T) func(T) T{
		jitted: m.jit, graded: m.grad, jvped: m.jvp, vmapped: m.vmap, rematted: m.remat, scanned: m.scan, conded: m.cond, whiled: m.while,
		linearized: m.linearize, jacfwded: m.jacfwd, jacreved: m.jacrev, policied: m.policy, foried: m.fori, scannedXs: m.scanXs, scannedBack: m.scanBack,
		searched: m.search, branched: m.branch, namedAxis: m.named, linearTransposed: m.linear, solved: m.solve, linearCalled: m.linearCall, stopped: m.stopped,
	}
	return wrap[w](build(m, inner, c))
}

// outerNames are the transformations with respect to c of c ↦ stack(0.8).
var outerNames = []string{"eval", "jit", "grad", "jvp", "vmap", "gradvmap", "jitgrad"}

func outer[T any](m machine[T], k int, f func(T) T) func(T) T {
	switch outerNames[k] {
	case "eval":
		return f
	case "jit":
		return m.jit(f)
	case "grad":
		return m.grad(f)
	case "jvp":
		return m.jvp(f)
	case "vmap":
		return m.vmap(f)
	case "gradvmap":
		return m.grad(m.vmap(f))
	default:
		return m.jit(m.grad(f))
	}
}
