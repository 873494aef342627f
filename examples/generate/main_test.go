package main

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
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
