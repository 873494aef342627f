package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"
)

// The pictures and the answers of the model.
const (
	side   = 8
	digits = 10
)

// Limits of a request.
const (
	maxBody = 1 << 14
	timeout = 5 * time.Second
)

// A Request is a picture: rows of brightnesses from 0 to 16.
type Request struct {
	Image [][]float32 `json:"image"`
}

// A Reply is the model's answer to a picture.
type Reply struct {
	Digit         int       `json:"digit"`
	Probabilities []float32 `json:"probabilities"`
	Batch         int       `json:"batch"` // pictures that were answered together
}

// NewHandler returns a handler that answers POST /predict with b, and GET /healthz.
func NewHandler(b *Batcher) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /predict", func(w http.ResponseWriter, r *http.Request) {
		image, err := readImage(w, r)
		if err != nil {
			status := http.StatusBadRequest
			if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
				status = http.StatusRequestEntityTooLarge
			}
			http.Error(w, err.Error(), status)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		a, err := b.Predict(ctx, image)
		switch {
		case errors.Is(err, errFull), errors.Is(err, errClosed):
			w.Header().Set("Retry-After", "1")
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		case errors.Is(err, context.DeadlineExceeded):
			http.Error(w, "the answer took too long", http.StatusGatewayTimeout)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		reply := Reply{Probabilities: a.probabilities, Batch: a.batch}
		for d, p := range a.probabilities {
			if p > a.probabilities[reply.Digit] {
				reply.Digit = d
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(reply) // an error means that the client has left
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "ok") })
	return mux
}

// readImage reads and checks a picture.
func readImage(w http.ResponseWriter, r *http.Request) ([]float32, error) {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	var q Request
	if err := d.Decode(&q); err != nil {
		return nil, fmt.Errorf("not a request: %w", err)
	}
	if len(q.Image) != side {
		return nil, fmt.Errorf("the image has %d rows, want %d; scale it", len(q.Image), side)
	}
	image := make([]float32, 0, side*side)
	for i, row := range q.Image {
		if len(row) != side {
			return nil, fmt.Errorf("row %d of the image has %d pixels, want %d; scale the image", i, len(row), side)
		}
		for _, v := range row {
			if v < 0 || v > 16 || math.IsNaN(float64(v)) {
				return nil, fmt.Errorf("a pixel of row %d is %v, want 0 to 16; scale its brightness", i, v)
			}
		}
		image = append(image, row...)
	}
	return image, nil
}

// NewServer returns a server with limits on its clients.
func NewServer(b *Batcher) *http.Server {
	return &http.Server{
		Handler:           NewHandler(b),
		ReadHeaderTimeout: 2 * time.Second,
		ReadTimeout:       timeout,
		WriteTimeout:      2 * timeout,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    1 << 14,
	}
}
