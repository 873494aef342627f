package lax_test

// A cancellation is a result whose elements are small beside the terms that they are the sums
// of: they were rounded as the terms were, here and in JAX.
type cancellation struct {
	terms float64 // the size of the terms, a power of two
	why   string
}

// cancelling are the results, by program, what is computed, and place, that have elements
// further from JAX's than 4 of their ulps. They are within 4 ulps of the terms, and would not
// be of terms half as large.
var cancelling = map[string]cancellation{
	"switch in fori: vmap of vjp[0]: 0":           {2, "the cotangents of five iterations are added, and pass 2"},
	"scan closure: jvp: 0":                        {0x1p-13, "the tangents of the weight and of the elements are opposed"},
	"scan rnn: vjp: 1":                            {0x1p-6, "the cotangent of a step is a row of the weights times that of the next: two terms opposed"},
	"scan rnn: vmap of vjp[0 0]: 1":               {0x1p-3, "the cotangent of a step is a row of the weights times that of the next: two terms opposed"},
	"scan rnn: vmap of vjp[0 {}]: 1":              {0x1p-3, "the cotangent of a step is a row of the weights times that of the next: two terms opposed"},
	"map: jvp: 0":                                 {0x1p-4, "sin x + x·cos x near its zero"},
	"map: vjp: 0":                                 {0x1p-4, "sin x + x·cos x near its zero"},
	"map: vmap of vjp[0]: 0":                      {0x1p-3, "sin x + x·cos x near its zero"},
	"hessian of scan: vjp: 0":                     {0x1p-3, "second derivatives of sines, added with both signs"},
	"hessian of scan: vmap[0]: 0":                 {0x1p-2, "second derivatives of sines, added with both signs"},
	"mlp loss and grads: value: 1":                {1, "1 − tanh² near ±1, times the weights, summed over the rows"},
	"mlp loss and grads: value: 2":                {0x1p-3, "1 − tanh² near ±1, times the weights, summed over the rows"},
	"mlp loss and grads: value: 3":                {1, "1 − tanh² near ±1, times the weights, summed over the rows"},
	"mlp per-example gradients: value: 0":         {8, "1 − tanh² where tanh is within 10⁻⁵ of 1: it is what is left of 1, times residual, weight and input"},
	"mlp per-example gradients: value: 1":         {4, "1 − tanh² where tanh is within 10⁻⁵ of 1: it is what is left of 1, times residual, weight and input"},
	"mlp sgd three steps: value: 0":               {0x1p-3, "a weight less its three steps; the gradients sum rows of both signs"},
	"mlp hessian-vector product: value: 0":        {2, "second derivatives of tanh, summed over the rows with both signs"},
	"mlp hessian-vector product: value: 2":        {1, "second derivatives of tanh, summed over the rows with both signs"},
	"mlp gauss-newton product: value: 0":          {2, "products with the Jacobian, summed over the rows with both signs"},
	"mlp gauss-newton product: value: 1":          {4, "products with the Jacobian, summed over the rows with both signs"},
	"mlp float64: value: 1":                       {1, "1 − tanh² near ±1, times the weights, summed over the rows"},
	"mlp float64: value: 2":                       {1, "1 − tanh² near ±1, times the weights, summed over the rows"},
	"logistic regression hessian: value: 2":       {0x1p-1, "the Hessian is xᵀ·diag(p(1−p))·x: rows of both signs"},
	"logistic regression newton: value: 0":        {0x1p-3, "a weight less its three steps"},
	"attention grad: value: 0":                    {1, "the gradient of softmax subtracts the mean of the cotangents"},
	"attention grad: value: 1":                    {0x1p-1, "the gradient of softmax subtracts the mean of the cotangents"},
	"attention grad: value: 2":                    {0x1p-4, "the gradient of softmax subtracts the mean of the cotangents"},
	"causal attention: value: 0":                  {0x1p-3, "a mean of values of both signs"},
	"causal attention grad: value: 0":             {0x1p-3, "the gradient of softmax subtracts the mean of the cotangents"},
	"causal attention grad: value: 1":             {0x1p-5, "the gradient of softmax subtracts the mean of the cotangents"},
	"lstm: value: 0":                              {0x1p-6, "a state that is added up from gates of both signs, to near 0"},
	"lstm: value: 1":                              {0x1p-4, "a state that is added up from gates of both signs, to near 0"},
	"lstm: value: 2":                              {0x1p-6, "a state that is added up from gates of both signs, to near 0"},
	"lstm grad: value: 1":                         {0x1p-2, "the cotangents of four steps are added with both signs"},
	"lstm grad: value: 2":                         {0x1p-4, "the cotangents of four steps are added with both signs"},
	"lstm grad: value: 3":                         {0x1p-3, "the cotangents of four steps are added with both signs"},
	"conv net grad: value: 1":                     {4, "the cotangents of all windows are added with both signs, and 1 − tanh² near ±1"},
	"conv net grad: value: 2":                     {1, "the cotangents of all windows are added with both signs, and 1 − tanh² near ±1"},
	"gaussian process likelihood: value: 2":       {0x1p-1, "the trace of the inverse less a quadratic form"},
	"polyfit: value: 0":                           {2, "the record, by singular values, is 1.1e-15 off the exact solution, the QR factorization 2.1e-16 to the other side"},
	"polyfit: value: 1":                           {4, "the terms of the polynomial, of both signs, with the coefficients of value 0, whose bound doubled with the QR factorization"},
	"softmax temperature jacobian: value: 0":      {0x1p-2, "p − p² is what is left of p"},
	"determinant and inverse gradients: value: 1": {0x1p-2, "a cofactor is a difference of products"},
	"gram-schmidt: value: 0":                      {0x1p-2, "a column less its projections"},
	"tree of parameters: value: 0":                {0x1p-3, "1 − tanh² is what is left of 1"},
	"tree of parameters: value: 1":                {0x1p-3, "1 − tanh² is what is left of 1"},
	"remat chain: value: 1":                       {2, "three layers of 1 − tanh² times weights of both signs"},
}
