package linalg

// A blockLowerer is c[m, n] −= a[m, k]·w[k, n], where each element is one chain of fused
// multiply-adds from its own value over k in order. Rows of c, a and w are ldc, lda and ldw
// apart.
type blockLowerer[A any] func(c []A, ldc int, a []A, lda int, w []A, ldw, m, n, k int)

// lower is a blockLowerer, by the machine's tiles if it has any.
func (f *field[A]) lower(c []A, ldc int, a []A, lda int, w []A, ldw, m, n, k int) {
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	if f.lowerBlock != nil && m >= 4 && k >= 4 {
		f.lowerBlock(c, ldc, a, lda, w, ldw, m, n, k)
		return
	}
	for i := range m {
		row := c[i*ldc : i*ldc+n]
		for l, v := range a[i*lda : i*lda+k] {
			f.less(row, v, w[l*ldw:l*ldw+n])
		}
	}
}
