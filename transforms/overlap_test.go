package transforms

import "testing"

// What a program has started and not waited for is forgotten when the job, or the places, end.
func TestForgetsExchanges(t *testing.T) {
	for what, end := range map[string]func(){"places": func() { SetPlaces(nil) }, "job": func() { SetParts(nil, nil) }} {
		going.Lock()
		going.waits = map[uint32]func() Value{7: nil}
		going.Unlock()
		if end(); len(going.waits) != 0 {
			t.Errorf("%s: got %d exchanges that are waited for, want none", what, len(going.waits))
		}
	}
}
