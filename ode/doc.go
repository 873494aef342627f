// Package ode solves initial value problems of ordinary differential equations,
// with gradients.
//
// [Odeint] integrates y' = f(y, t, args) by the Dormand–Prince pair of orders 5 and
// 4 with steps of adapting size, and returns y at the times that are asked for. States
// and arguments are trees of arrays. In reverse it integrates the adjoint equations
// backwards, in memory that does not grow with the number of steps; gradients flow to
// the first state, the times, the arguments, and anything that f closes over.
package ode
