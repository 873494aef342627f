package main

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
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
	return "http://" + l.Addr().String() + "/generate"
}

// open counts the connections that a listener has accepted and that are not closed.
type open struct {
	net.Listener
	n atomic.Int32
}

type counted struct {
	net.Conn
	of     *open
	closed sync.Once
}

func (l *open) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.n.Add(1)
	return &counted{Conn: c, of: l}, nil
}

func (c *counted) Close() error {
	c.closed.Do(func() { c.of.n.Add(-1) })
	return c.Conn.Close()
}

// A server that is interrupted tells its clients why their texts end, and returns when all of them have been told.
func TestInterrupted(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	connections := &open{Listener: l}
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, connections) }()
	url := "http://" + l.Addr().String() + "/generate"
	var clients sync.WaitGroup
	var begun, told atomic.Int32
	const n = 4
	for range n {
		clients.Go(func() {
			first := true
			_, _, err := Ask(t.Context(), url, Request{Prompt: "A", Tokens: maxTokens}, func(string) {
				if first && begun.Add(1) == n {
					interrupt()
				}
				first = false
			})
			switch {
			case err == nil: // it had all its tokens before the last one began
			case err.Error() == errStopped.Error():
				told.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if n := connections.n.Load(); n != 0 {
		t.Errorf("the server has returned with %d open connections", n)
	}
	clients.Wait()
	if told.Load() == 0 {
		t.Error("no client was told why its text ends")
	}
}

// Texts of several lengths, some of them drawn, that join and leave a batch have the bits that they have alone, and come in
// parts.
func TestAloneAndTogether(t *testing.T) {
	url := start(t)
	var requests []Request
	for i, p := range []string{"A", "Weft", "The shape of an array, which", "é", "In a program", "One", "two three", "A gradient", "Types", "\n"} {
		requests = append(requests, Request{Prompt: p, Tokens: 1 + 3*i, Heat: float64(i%3) / 2, Seed: uint64(i)})
	}
	texts, ends := make([]string, len(requests)), make([]End, len(requests))
	var clients sync.WaitGroup
	for i, q := range requests {
		clients.Go(func() {
			var err error
			if texts[i], ends[i], err = Ask(t.Context(), url, q, nil); err != nil {
				t.Error(err)
			}
		})
	}
	clients.Wait()
	for i, q := range requests {
		parts := 0
		text, end, err := Ask(t.Context(), url, q, func(string) { parts++ })
		if err != nil {
			t.Fatal(err)
		}
		if end.Batch != 1 || end.Tokens != q.Tokens || text != texts[i] || end.Logits != ends[i].Logits {
			t.Errorf("%q: alone %q %v, together %q %v", q.Prompt, text, end, texts[i], ends[i])
		}
		if q.Tokens > 10 && parts < 5 {
			t.Errorf("%q came in %d parts", q.Prompt, parts)
		}
	}
}

// Requests that cannot be answered are refused with the reason, and clients that leave end nothing.
func TestRefused(t *testing.T) {
	url := start(t)
	for body, want := range map[string]string{
		`{"prompt":"","tokens":3}`:            "the prompt is empty",
		`{"prompt":"a","tokens":0}`:           "tokens must be 1 to 128",
		`{"prompt":"a","tokens":3,"heat":-1}`: "heat 0 to 10",
		`{"prompt":"a","tokens":3,"x":1}`:     "unknown field",
		`{`:                                   "not a request",
		`{"prompt":"` + strings.Repeat("a b ", 200) + `","tokens":3}`: "the model has room for 256",
	} {
		resp, err := http.Post(url, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		_ = resp.Write(&b)
		if resp.StatusCode != http.StatusBadRequest || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %s, want %q", body, b.String(), want)
		}
	}
	ctx, leave := context.WithCancel(t.Context())
	if _, _, err := Ask(ctx, url, Request{Prompt: "A", Tokens: 100}, func(string) { leave() }); err == nil {
		t.Error("a client that left has the whole answer")
	}
	if _, _, err := Ask(t.Context(), url, Request{Prompt: "A", Tokens: 2}, nil); err != nil {
		t.Error(err)
	}
}
