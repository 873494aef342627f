package executors

import "github.com/weft-go/weft/runtime"

// Host returns the name of an executor that runs programs on the host: the default one, or, if
// that is a device, the last registered one that can run.
func Host() string {
	if e := runtime.Default(); e.Memory() == runtime.Host {
		return e.Name()
	}
	var name string
	for _, e := range runtime.Executors() {
		if e.Memory() == runtime.Host && e.Available() == nil {
			name = e.Name()
		}
	}
	return name
}
