package fuse

// Where windows lie a stride apart only within runs, such as those of one line or one image, a convolution is a batch of
// products, one for each run. Runs must have at least leastBatchRows windows, since each product may pack the filter anew.
const leastBatchRows = 128

// asProduct returns the convolution as a product whose rows are the windows, as they lie in memory. They may overlap,
// as those of a signal do. ok is false for convolutions with groups, padding or gaps, or where the elements of a window
// are not neighbours in memory, and where products would have too few rows.
func (s *Conv) asProduct() (m *Product, ok bool) {
	if s.Groups != 1 || s.Rows() < 1 || s.K() < 1 || s.Outputs < 1 {
		return nil, false
	}
	last := len(s.Axes)
	steps := make([]int, last+1) // from image to image, and from position to position of the axes
	step := s.Features
	for i := last - 1; i >= 0; i-- {
		a := s.Axes[i]
		if a.Gap != 1 || a.Low != 0 || (a.Out-1)*a.Stride+(a.Size-1)*a.Dilation >= a.In {
			return nil, false
		}
		steps[i+1] = step
		step *= a.In
	}
	steps[0] = step
	window, ok := single(runs(last+1, func(i int) int {
		if i == last {
			return s.Channels
		}
		return s.Axes[i].Size
	}, func(i int) [2]int {
		if i == last {
			return [2]int{1}
		}
		return [2]int{s.Axes[i].Dilation * steps[i+1]}
	}))
	if !ok || window.n > 1 && window.step[0] != 1 {
		return nil, false
	}
	rows := runs(last+1, func(i int) int {
		if i == 0 {
			return s.Batch
		}
		return s.Axes[i-1].Out
	}, func(i int) [2]int {
		if i == 0 {
			return [2]int{steps[0]}
		}
		return [2]int{s.Axes[i-1].Stride * steps[i]}
	})
	m = &Product{Eqn: s.Eqn, Type: s.Type, Chunk: s.Chunk, M: 1, N: s.Outputs, K: s.K(), A: ProductView{K: 1}, B: s.B, In: s.In}
	if n := len(rows) - 1; n >= 0 {
		if n > 0 && rows[n].n < leastBatchRows {
			return nil, false
		}
		m.M, m.A.Outer = rows[n].n, rows[n].step[0]
		for _, r := range rows[:n] {
			m.Batch = append(m.Batch, ProductAxis{N: r.n, A: r.step[0]})
		}
	}
	return m, true
}
