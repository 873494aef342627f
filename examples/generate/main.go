// Command generate continues texts over HTTP with a small language model that PyTorch trained and exported to ONNX:
// train.py makes decoder.onnx and tokenizer.json from the documents of this project. The answer is a stream of
// server-sent events. Texts that wait are continued together, token by token, with the same bits as alone.
//
//	go run ./examples/generate                  # shows that, and ends
//	go run ./examples/generate -listen :8080    # serves until it is interrupted
//	curl -N -d '{"prompt":"A program","tokens":40,"heat":0.7}' localhost:8080/generate
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"
)

func main() {
	listen := flag.String("listen", "", "an address to serve on, as :8080")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := func() error { return show(ctx, os.Stdout) }
	if *listen != "" {
		run = func() error {
			l, err := net.Listen("tcp", *listen)
			if err != nil {
				return err
			}
			log.Printf("serving on %v", l.Addr())
			return Serve(ctx, l)
		}
	}
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// Serve answers until ctx ends, then ends the streams that have begun and waits for their handlers.
func Serve(ctx context.Context, l net.Listener) error {
	d, err := LoadDecoder()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := NewServer(ctx, d)
	h := httpServer(s.Handler())
	done := make(chan error, 1)
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		done <- h.Shutdown(grace)
	}()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-s.stopped
	return <-done
}

// show serves on this machine, continues texts alone and then all at once, and compares.
func show(ctx context.Context, w io.Writer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l) }()
	url := "http://" + l.Addr().String() + "/generate"
	requests := []Request{
		{Prompt: "An array is", Tokens: 24},
		{Prompt: "The gradient of a function", Tokens: 24},
		{Prompt: "Programs that run on a device", Tokens: 24, Heat: 0.5, Seed: 1},
	}
	type answer struct {
		text string
		end  End
	}
	alone, together := make([]answer, len(requests)), make([]answer, len(requests))
	for i, q := range requests {
		if alone[i].text, alone[i].end, err = Ask(ctx, url, q, nil); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s|%s\n", q.Prompt, strings.ReplaceAll(alone[i].text, "\n", " "))
	}
	errs := make([]error, len(requests))
	var clients sync.WaitGroup
	for i, q := range requests {
		clients.Go(func() { together[i].text, together[i].end, errs[i] = Ask(ctx, url, q, nil) })
	}
	clients.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	batched, same := 0, 0
	for i := range requests {
		if together[i].end.Batch > 1 {
			batched++
		}
		if alone[i].text == together[i].text && alone[i].end.Logits == together[i].end.Logits {
			same++
		}
	}
	fmt.Fprintf(w, "asked for at once, texts are continued together: %t\n", batched > 0)
	fmt.Fprintf(w, "%d of %d have the same bits alone and together\n", same, len(requests))
	stop()
	return <-served
}

// Ask requests the continuation of a text, and calls part with each part of it.
func Ask(ctx context.Context, url string, q Request, part func(string)) (text string, end End, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return "", end, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return "", end, err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", end, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		return "", end, fmt.Errorf("%s: %s", resp.Status, bytes.TrimSpace(why))
	}
	name := ""
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case field == "event":
			name = value
		case field == "data" && name == "end":
			return text, end, json.Unmarshal([]byte(value), &end)
		case field == "data":
			var s string
			if err := json.Unmarshal([]byte(value), &s); err != nil {
				return text, end, err
			}
			if name == "error" {
				return text, end, errors.New(s)
			}
			if part != nil {
				part(s)
			}
			text += s
		}
	}
	return text, end, errors.Join(lines.Err(), io.ErrUnexpectedEOF)
}
