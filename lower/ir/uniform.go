package ir

// uniformity records which values differ between the iterations of a vector loop. The results of ifs, of
// reductions, and of inner loops are taken to differ, except those of while loops that method ends examines.
// So are elements of buffers that the kernel may write.
type uniformity struct {
	k      *Kernel
	varies []bool // by Ref
	axis   Axis   // of the vector loop
}

// ends reports whether the test of a while loop is the same in all iterations of the vector loop,
// so that they end together. It notes which results differ.
func (u *uniformity) ends(s *While) bool {
	for _, c := range s.Carry {
		u.varies[c.Param] = u.varies[c.Init]
	}
	for changed := true; changed; {
		u.block(s.Cond)
		u.block(s.Body)
		changed = false
		for _, c := range s.Carry {
			if u.varies[c.Next] && !u.varies[c.Param] {
				u.varies[c.Param], changed = true, true
			}
		}
	}
	for _, c := range s.Carry {
		u.varies[c.Result] = u.varies[c.Param]
	}
	return !u.varies[s.Test]
}

func (u *uniformity) any(rs ...Ref) bool {
	for _, r := range rs {
		if r != NoRef && u.varies[r] {
			return true
		}
	}
	return false
}

func (u *uniformity) terms(ts []Term) bool {
	for _, t := range ts {
		if t.Axis == u.axis {
			return true
		}
	}
	return false
}

func (u *uniformity) block(b Block) {
	for _, s := range b {
		u.stmt(s)
	}
}

func (u *uniformity) stmt(s Stmt) {
	switch s := s.(type) {
	case *Let:
		u.varies[s.Dst] = u.any(s.Inst.Args[:]...)
	case *Apply:
		v := u.any(s.Args...)
		for _, r := range s.Dst {
			u.varies[r] = v
		}
	case *Index:
		u.varies[s.Dst] = u.terms(s.Terms)
	case *Load:
		v := u.k.Buffers[s.At.Buffer].Role != In
		for _, c := range s.At.Coords {
			v = v || u.any(c.Value) || u.terms(c.Terms)
		}
		u.varies[s.Dst] = v
	case *Loop:
		for _, c := range s.Carry {
			u.varies[c.Result] = true
		}
	case *While:
		for _, c := range s.Carry {
			u.varies[c.Result] = true
		}
	case *If:
		for _, m := range s.Merge {
			u.varies[m.Result] = true
		}
	case *Reduce:
		for _, f := range s.Folds {
			u.varies[f.Result] = true
			if f.Other != NoRef {
				u.varies[f.Other] = true
			}
		}
	}
}
