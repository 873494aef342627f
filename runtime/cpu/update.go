package cpu

import "github.com/weft-go/weft/lower/fuse"

// updateStep changes elements of an array: in place if the result has the array's memory,
// else in a copy.
type updateStep struct {
	launchStep
	update *fuse.Update
}

func (s *updateStep) run(x *execution, f *frame) error {
	move(f.refs[s.update.Out].data, f.refs[s.update.Args[0]].data)
	return s.launchStep.run(x, f)
}
