package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft/wefttest"
)

func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := show(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}

// start serves on this machine until stop, or the end of the test. ended is closed when Serve has returned.
func start(t *testing.T) (url string, stop func(), ended <-chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := Serve(ctx, l); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { stop(); <-done })
	return "http://" + l.Addr().String() + "/segments", stop, done
}

// Sounds of all lengths are answered, and files that are not sounds are refused with the reason.
func TestRequests(t *testing.T) {
	url, _, _ := start(t)
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

// A request that has begun is answered when the server ends.
func TestLastRequest(t *testing.T) {
	url, stop, ended := start(t)
	wav := WriteWAV(say(script))
	want, err := Ask(t.Context(), url, wav)
	if err != nil {
		t.Fatal(err)
	}
	body, file := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Expect", "100-continue") // the body is sent when the server reads it
	go func() {
		defer file.Close()
		_, _ = file.Write(wav[:100])
		stop()
		select {
		case <-ended:
			t.Error("the server has ended before its request")
		case <-time.After(50 * time.Millisecond):
		}
		_, _ = file.Write(wav[100:])
	}()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var got []Segment
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("got %s, %v, %v, want %v", resp.Status, got, err, want)
	}
	<-ended
}

// Speech continues through short pauses, and sounds that are shorter than a word are not speech.
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
