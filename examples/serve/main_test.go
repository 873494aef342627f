package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/wefttest"
)

func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := show(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}

// start serves on this machine and returns the address, and a function that shuts the
// server down and waits for it.
func start(t *testing.T, b *Batcher) (url string, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, b) }()
	stop = sync.OnceValue(func() error {
		cancel()
		err := <-served
		b.Close()
		return err
	})
	t.Cleanup(func() { _ = stop() })
	return "http://" + l.Addr().String() + "/predict", stop
}

func examplePictures(t *testing.T) (list []Picture) {
	t.Helper()
	if err := json.Unmarshal(pictures, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// A request's answer has the same bits alone and in batches of any size.
func TestAnswersAloneAndBatched(t *testing.T) {
	predict, err := load()
	if err != nil {
		t.Fatal(err)
	}
	all := examplePictures(t)
	url, _ := start(t, NewBatcher(predict, 1, 256, 0))
	alone := make([]Reply, len(all))
	for i, p := range all {
		if alone[i], err = Ask(t.Context(), url, p.Request); err != nil {
			t.Fatal(err)
		}
		if alone[i].Batch != 1 {
			t.Errorf("a batch of %d, want 1", alone[i].Batch)
		}
	}
	for _, size := range []int{2, 3, 5, 8, 16} {
		b := NewBatcher(predict, size, 256, 10*time.Second)
		url, stop := start(t, b)
		var clients sync.WaitGroup
		for i, p := range all[:len(all)/size*size] { // so that no batch waits for more
			clients.Go(func() {
				got, err := Ask(context.Background(), url, p.Request)
				if err != nil {
					t.Error(err)
				} else if !SameBits(got.Probabilities, alone[i].Probabilities) {
					t.Errorf("picture %d in a batch of %d: got %v, alone %v", i, got.Batch, got.Probabilities, alone[i].Probabilities)
				}
			})
		}
		clients.Wait()
		if err := stop(); err != nil {
			t.Error(err)
		}
		if n := b.Close()[size]; n == 0 {
			t.Errorf("no batch of %d pictures among %v", size, b.Close())
		}
	}
}

// Requests that are no pictures are refused by name.
func TestBadRequests(t *testing.T) {
	predict, err := load()
	if err != nil {
		t.Fatal(err)
	}
	url, _ := start(t, NewBatcher(predict, 1, 4, 0))
	row := "[0,0,0,0,0,0,0,0]"
	image := func(rows ...string) string { return `{"image":[` + strings.Join(rows, ",") + `]}` }
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{"{", 400, "not a request"},
		{`{"picture":1}`, 400, "unknown field"},
		{image(row), 400, "the image has 1 rows, want 8"},
		{image(row, row, row, "[1]", row, row, row, row), 400, "row 3 of the image has 1 pixels, want 8"},
		{image(row, row, row, row, row, row, row, "[0,0,0,0,0,0,0,17]"), 400, "a pixel of row 7 is 17, want 0 to 16"},
		{`{"image":[[` + strings.Repeat("0,", maxBody) + `0]]}`, 413, "too large"},
	} {
		resp, err := http.Post(url, "application/json", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != c.status || !strings.Contains(string(text), c.want) {
			t.Errorf("%.40q: got %d %q, want %d %q", c.body, resp.StatusCode, text, c.status, c.want)
		}
	}
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET: got %d, want 405", resp.StatusCode)
	}
}

// More requests than may wait are refused; those that wait are answered.
func TestQueueLimit(t *testing.T) {
	begun, gate := make(chan struct{}), make(chan struct{})
	b := NewBatcher(func(image weft.Array) weft.Array {
		close(begun) // the model is compiled for the first request
		<-gate
		return weft.Zeros(digits).Add(image.Sum())
	}, 1, 2, 0)
	url, _ := start(t, b)
	request := examplePictures(t)[0].Request
	answers := make(chan error, 8)
	ask := func() {
		_, err := Ask(context.Background(), url, request)
		answers <- err
	}
	go ask()
	<-begun
	for range 7 {
		go ask()
	}
	refused := 0
	for range 8 - 3 { // one is answered, two wait
		if err := <-answers; err != nil && strings.Contains(err.Error(), "503") {
			refused++
		}
	}
	close(gate)
	for range 3 {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
	if refused != 5 {
		t.Errorf("%d requests were refused, want 5", refused)
	}
}

// A server that shuts down answers the requests that have begun.
func TestShutdown(t *testing.T) {
	predict, err := load()
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan struct{})
	b := NewBatcher(func(image weft.Array) weft.Array {
		close(begun) // the model is compiled for the first batch
		time.Sleep(50 * time.Millisecond)
		return predict(image)
	}, 4, 8, 0)
	url, stop := start(t, b)
	request := examplePictures(t)[0].Request
	answered := make(chan error, 1)
	go func() {
		_, err := Ask(context.Background(), url, request)
		answered <- err
	}()
	<-begun
	if err := stop(); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if err := <-answered; err != nil {
		t.Errorf("the request that had begun: %v", err)
	}
	if _, err := Ask(t.Context(), url, request); err == nil {
		t.Error("a request after the shutdown was answered")
	}
	if _, err := b.Predict(t.Context(), make([]float32, side*side)); err != errClosed {
		t.Errorf("got %v, want %v", err, errClosed)
	}
}
