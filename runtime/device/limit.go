package device

import "fmt"

// A Limiter is a Driver whose process may use less memory than the device has.
type Limiter interface {
	// Limit returns the bytes that arrays, and memory that the pool keeps, may have; 0 if there is no limit. setting names
	// the setting of the limit.
	Limit() (bytes int, setting string)
}

type limitError struct {
	limit   int
	setting string
}

func (e *limitError) Error() string {
	return fmt.Sprintf("%s limits memory to %s", e.setting, Bytes(e.limit))
}

// OutOfMemory returns true: the error is about memory.
func (e *limitError) OutOfMemory() bool { return true }

// limit returns the bytes that the pool may have of the driver, 0 for all, and the name of the setting.
func (p *pool) limit() (bytes int, setting string) {
	if l, ok := p.d.(Limiter); ok {
		return l.Limit()
	}
	return 0, ""
}
