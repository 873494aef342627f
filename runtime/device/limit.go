package device

import "fmt"

// A Limiter is a Driver whose process may use less memory than the device has.
type Limiter interface {
	// Limit returns the bytes that arrays and what the pool keeps may have; 0: all. setting names what set it.
	Limit() (bytes int, setting string)
}

// limitError is the error of an allocation beyond a limit.
type limitError struct {
	limit   int
	setting string
}

func (e *limitError) Error() string {
	return fmt.Sprintf("%s limits memory to %s", e.setting, Bytes(e.limit))
}

// OutOfMemory reports that there is none.
func (e *limitError) OutOfMemory() bool { return true }

// limit returns the bytes that the pool may have of the driver, 0 for all, and what set them.
func (p *pool) limit() (bytes int, setting string) {
	if l, ok := p.d.(Limiter); ok {
		return l.Limit()
	}
	return 0, ""
}
