package device

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// A Label names a kernel in errors.
type Label struct{ Name, Pos string } // Pos is the user's line, "" if it is not known

// LabelOf returns the label of a function's kernel.
func LabelOf(f *simt.Func) Label { return Label{f.Name, f.Pos} }

// String returns the kernel's name and, if it is known, the user's line.
func (l Label) String() string {
	if l.Pos == "" {
		return l.Name
	}
	return l.Name + " (" + l.Pos + ")"
}

// Fail returns err with the label before it.
func (l Label) Fail(err error) error { return fmt.Errorf("kernel %v: %w", l, err) }

// fromKernel reports whether a running kernel may have caused an error.
func fromKernel(err error) bool {
	var e interface{ FromKernel() bool }
	return errors.As(err, &e) && e.FromKernel()
}

func outOfMemory(err error) bool {
	var e interface{ OutOfMemory() bool }
	return errors.As(err, &e) && e.OutOfMemory()
}

// Recent lists the kernels that a driver launched last. If a kernel fails while it runs, a later call
// returns the error, and the kernel is probably one of these. The method FromKernel of a driver's error reports whether a kernel
// may have caused it. Callers lock Recent.
type Recent struct {
	labels   [RecentKernels]Label
	launches int
}

// RecentKernels is the greatest number of kernels that an error names.
const RecentKernels = 8

// Add records the launch of a kernel.
func (r *Recent) Add(l Label) {
	r.labels[r.launches%len(r.labels)] = l
	r.launches++
}

// Fail names the kernel in the error of a call made for it. Errors that running kernels cause
// name the kernels launched last instead; if an error may have either cause, all are named.
func (r *Recent) Fail(l Label, err error) error {
	if !fromKernel(err) || outOfMemory(err) {
		err = l.Fail(err)
	}
	return r.Blame(err)
}

// Blame names the kernels launched last in an error that a running kernel may have caused, and returns
// other errors unchanged.
func (r *Recent) Blame(err error) error {
	if !fromKernel(err) {
		return err
	}
	var names []string
	for i := range min(r.launches, len(r.labels)) {
		n := r.labels[(r.launches-1-i)%len(r.labels)].String()
		if len(names) == 0 || names[len(names)-1] != n {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return err
	}
	return fmt.Errorf("%w; the kernels launched last are, from the last one, %s", err, strings.Join(names, ", "))
}
