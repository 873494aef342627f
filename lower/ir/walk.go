package ir

// Inner returns the blocks within a statement in the order in which its fields declare them, nil for blocks that the
// statement does not have.
func Inner(s Stmt) (first, second *Block) {
	switch s := s.(type) {
	case *Loop:
		return &s.Body, nil
	case *Reduce:
		return &s.Body, nil
	case *Cumulate:
		return &s.Body, &s.Then
	case *While:
		return &s.Cond, &s.Body
	case *If:
		return &s.Then, &s.Else
	}
	return nil, nil
}

// Walk calls f for the statements of a block, in order, each followed by the statements within it.
func (b Block) Walk(f func(Stmt)) {
	for _, s := range b {
		f(s)
		first, second := Inner(s)
		if first != nil {
			first.Walk(f)
		}
		if second != nil {
			second.Walk(f)
		}
	}
}

// Reads calls f for the values that a statement reads, but not for those that statements
// within it read.
func Reads(s Stmt, f func(Ref)) {
	read := func(rs ...Ref) {
		for _, r := range rs {
			if r != NoRef {
				f(r)
			}
		}
	}
	access := func(a *Access) {
		for i := range a.Coords {
			read(a.Coords[i].Value)
		}
	}
	carry := func(cs []Carry) {
		for _, c := range cs {
			read(c.Init, c.Next)
		}
	}
	switch s := s.(type) {
	case *Let:
		read(s.Inst.Args[:]...)
	case *Apply:
		read(s.Args...)
	case *Load:
		access(&s.At)
	case *Store:
		access(&s.At)
		read(s.Value)
	case *Loop:
		carry(s.Carry)
	case *While:
		carry(s.Carry)
		read(s.Test)
	case *If:
		read(s.Cond)
		for _, m := range s.Merge {
			read(m.Then, m.Else)
		}
	case *Reduce:
		for _, d := range s.Folds {
			read(d.Value, d.Second)
		}
	case *Cumulate:
		read(s.Value)
	}
}
