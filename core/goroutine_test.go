package core

import "testing"

// A goroutine has a number of its own, and within OnBehalf that of another one.
func TestGoroutine(t *testing.T) {
	here := Goroutine()
	done := make(chan bool)
	go func() {
		defer close(done)
		own := Goroutine()
		OnBehalf(here, func() {
			if got := Goroutine(); got != here {
				t.Errorf("on behalf of %d: got %d", here, got)
			}
		})
		if own == here || Goroutine() != own {
			t.Errorf("got %d, then %d; the other goroutine is %d", own, Goroutine(), here)
		}
	}()
	<-done
	if got := Goroutine(); got != here {
		t.Errorf("got %d, want %d", got, here)
	}
}
