package main

import (
	"bytes"
	"context"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/wefttest"
)

func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := show(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}

// start serves on this machine.
func start(t *testing.T) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + "/segments"
}

// Sounds of all lengths are answered, and files that are none are refused with the reason.
func TestRequests(t *testing.T) {
	url := start(t)
	for _, n := range []int{0, 1, window, window*block + 1} {
		if s, err := Ask(t.Context(), url, WriteWAV(make([]float32, n))); err != nil || len(s) != 0 {
			t.Errorf("%d samples of silence: got %v, %v", n, s, err)
		}
	}
	good := WriteWAV(say(script))
	stereo := bytes.Clone(good)
	stereo[22] = 2
	for _, c := range []struct {
		file []byte
		want string
	}{
		{nil, "this is no WAV file"},
		{[]byte("RIFFxxxxWAVE"), "has no samples"},
		{good[:40], "has no samples"},
		{stereo, "2 channels"},
	} {
		if _, err := Ask(t.Context(), url, c.file); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "400") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// Speech goes on through short pauses, and what is shorter than a word is none.
func TestSegments(t *testing.T) {
	var p []float32
	for _, part := range []struct {
		n int
		p float32
	}{{4, 0.1}, {10, 0.9}, {2, 0.1}, {10, 0.6}, {20, 0.4}, {5, 0.1}, {3, 0.9}, {10, 0.1}, {20, 0.9}} {
		p = append(p, slices.Repeat([]float32{part.p}, part.n)...)
	}
	got := Segments(p)
	want := []Segment{{4 * window / float64(rate), 46 * window / float64(rate)}, {64 * window / float64(rate), 84 * window / float64(rate)}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
