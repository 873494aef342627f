// Command serve answers requests over HTTP with a model that JAX trained and exported:
// model.mlirbc, which reads handwritten digits. Requests that wait are answered together,
// by the model under Vmap, with the same bits as one by one.
//
//	go run ./examples/serve                  # shows that, and ends
//	go run ./examples/serve -listen :8080    # serves until it is interrupted
//	curl -d @picture.json localhost:8080/predict
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"sync"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/stablehlo"
)

//go:embed model.mlirbc
var model []byte

//go:embed requests.json
var pictures []byte

func main() {
	listen := flag.String("listen", "", "an address to serve on, as :8080")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *listen == "" {
		err = show(ctx, os.Stdout)
	} else {
		err = serve(ctx, *listen)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// load returns the model as a function of one picture.
func load() (func(weft.Array) weft.Array, error) {
	m, err := stablehlo.Load(bytes.NewReader(model))
	if err != nil {
		return nil, err
	}
	f := m.Func("main")
	return func(image weft.Array) weft.Array { return f([]weft.Array{image})[0] }, nil
}

// serve answers until ctx ends, then finishes the requests that have begun.
func serve(ctx context.Context, address string) error {
	predict, err := load()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	b := NewBatcher(predict, 16, 256, 2*time.Millisecond)
	log.Printf("serving on %v", l.Addr())
	err = Serve(ctx, l, b)
	log.Printf("batches by size: %v", b.Close())
	return err
}

// Serve runs a server until ctx ends, then waits for the requests that have begun.
func Serve(ctx context.Context, l net.Listener, b *Batcher) error {
	s := NewServer(b)
	done := make(chan error, 1)
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), 2*timeout)
		defer cancel()
		done <- s.Shutdown(grace)
	}()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-done
}

// A Picture is a request and the digit that it shows.
type Picture struct {
	Request
	Digit int `json:"digit"`
}

// show serves on this machine, requests each picture alone, then for all at once, and
// compares the bits of the answers.
func show(ctx context.Context, w io.Writer) error {
	var all []Picture
	if err := json.Unmarshal(pictures, &all); err != nil {
		return err
	}
	predict, err := load()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	b := NewBatcher(predict, 16, 256, 5*time.Millisecond)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, b) }()
	url := "http://" + l.Addr().String() + "/predict"

	alone := make([]Reply, len(all))
	right := 0
	for i, p := range all {
		if alone[i], err = Ask(ctx, url, p.Request); err != nil {
			return err
		}
		if alone[i].Digit == p.Digit {
			right++
		}
	}
	fmt.Fprintf(w, "%d of %d pictures are read right, one by one\n", right, len(all))

	together := make([]Reply, len(all))
	errs := make([]error, len(all))
	var clients sync.WaitGroup
	for i, p := range all {
		clients.Go(func() { together[i], errs[i] = Ask(ctx, url, p.Request) })
	}
	clients.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	same, batched := 0, 0
	for i := range all {
		if SameBits(alone[i].Probabilities, together[i].Probabilities) {
			same++
		}
		if together[i].Batch > 1 {
			batched++
		}
	}
	fmt.Fprintf(w, "asked for at once, they are answered in batches: %t\n", batched > 0)
	fmt.Fprintf(w, "%d of %d answers have the same bits alone and in a batch\n", same, len(all))
	stop()
	err = <-served
	b.Close()
	return err
}

// Ask sends one request.
func Ask(ctx context.Context, url string, q Request) (reply Reply, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return reply, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return reply, err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		return reply, fmt.Errorf("%s: %s", resp.Status, bytes.TrimSpace(why))
	}
	return reply, json.NewDecoder(resp.Body).Decode(&reply)
}

// SameBits reports whether two lists have the same bits.
func SameBits(x, y []float32) bool {
	return slices.EqualFunc(x, y, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) })
}
