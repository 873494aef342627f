// Command vad finds the speech in sounds over HTTP: a client posts a WAV file and receives where somebody speaks. The model is Silero VAD's
// silero_vad_16k_sequence.onnx, as the package silero-vad 6.2.3 ships it (https://github.com/snakers4/silero-vad, LICENSE.silero).
//
//	go run ./examples/vad                  # makes a sound, asks its own server, and ends
//	go run ./examples/vad -listen :8080    # serves until it is interrupted
//	curl --data-binary @speech.wav localhost:8080/segments
package main

import (
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

// Limits of requests.
const (
	maxBody = 32 << 20 // bytes; a quarter of an hour of sound
	timeout = time.Minute
)

// Serve answers until ctx ends, then waits for the requests that have begun.
func Serve(ctx context.Context, l net.Listener) error {
	d, err := NewDetector()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h := &http.Server{Handler: handler(d), ReadHeaderTimeout: 2 * time.Second, ReadTimeout: timeout, WriteTimeout: 2 * timeout, MaxHeaderBytes: 1 << 14}
	done := make(chan error, 1)
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		done <- h.Shutdown(grace)
	}()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-done
}

func handler(d *Detector) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /segments", func(w http.ResponseWriter, r *http.Request) {
		sound, err := ReadWAV(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		p, err := d.Probabilities(sound)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(Segments(p)) // an error means that the client has left
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	return mux
}

// Ask posts a WAV file to a server.
func Ask(ctx context.Context, url string, wav []byte) ([]Segment, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(wav))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "audio/wav")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", resp.Status, bytes.TrimSpace(body))
	}
	var s []Segment
	return s, json.Unmarshal(body, &s)
}

// show serves on this machine and asks for the speech in a sound whose parts with speech are known.
func show(ctx context.Context, w io.Writer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l) }()
	for _, s := range script {
		if s.Speech {
			fmt.Fprintf(w, "spoken %5.2f s to %5.2f s\n", s.Start, s.End)
		}
	}
	segments, err := Ask(ctx, "http://"+l.Addr().String()+"/segments", WriteWAV(say(script)))
	if err != nil {
		return err
	}
	for _, s := range segments {
		fmt.Fprintf(w, "found  %5.2f s to %5.2f s\n", s.Start, s.End)
	}
	stop()
	return <-served
}
