package block

// A Stopper reports whether the kernel should end; nil never does.
type Stopper func() bool

// Stopped reports whether the kernel should end.
func (s Stopper) Stopped() bool { return s != nil && s() }
