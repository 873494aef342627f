// Package random draws numbers. Nothing is hidden: a draw is a function of a [Key], the same key
// produces the same numbers, and more numbers need more keys.
//
//	key := random.New(42)
//	key, sub := key.Split()
//	x := random.Normal(sub, 3, 4)
//
// [Key.Split], [Key.SplitN] and [Key.FoldIn] make keys from keys; a key that was split or drawn
// from is used up. Under weft.DebugKeyReuse a key that is used twice is an error.
//
// The generator is Threefry-2x32, and keys, bits, uniforms, integers, truth values and
// permutations are JAX's to the bit. Numbers computed with logarithms and similar functions have
// the accuracy of these functions here.
//
// A sampler takes the sizes of its result last. [As] chooses the dtype; without it the dtype is
// that of the parameters, or the default float or integer. Parameters are numbers or Arrays. They
// broadcast to the sizes; without sizes the result has the parameters' shape. All samplers work
// under Jit, Vmap and Scan. Grad differentiates a sample with respect to its parameters where it
// is a smooth function of them, with the random bits held fixed.
package random
