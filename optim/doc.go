// Package optim fits parameters by their gradients.
//
// An optimizer is a state that is made for parameters and updated with them:
//
//	opt := optim.NewAdam(params, optim.AdamConfig{Rate: optim.Rate(1e-3)})
//	loss, grad := weft.ValueAndGradAt(params, f)
//	params = opt.Update(params, grad)
//
// Parameters are any tree. The state is one, too: it can be saved, mapped over with
// Vmap, and passed to a jitted function by pointer, which then changes it in place:
//
//	step := weft.Jit(func(m *Model, opt *optim.Adam[Model], x, y weft.Array) weft.Array {
//		loss, grad := weft.ValueAndGradAt(*m, func(m Model) weft.Array { return m.Loss(x, y) })
//		*m = opt.Update(*m, grad)
//		return loss
//	})
//
// Leaves that have no derivative (integers, truth values, keys, fields tagged frozen) are not
// changed. For complex parameters the optimizers follow the conjugate of the gradient that
// [weft.Grad] returns, which is the direction of descent.
package optim
