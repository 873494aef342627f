package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/weft-go/weft"
)

// request is the body of a request: pictures as nested lists of numbers.
type request struct {
	Pixels weft.Array `json:"pixels"` // [n, 64] or [n, 8, 8]
}

// answer is what the network reads.
type answer struct {
	Digits        []int32     `json:"digits"`
	Probabilities [][]float32 `json:"probabilities"`
}

// mostPictures bounds the work of one request.
const mostPictures = 1024

// handler returns a handler that reads digits. It may be used by many goroutines.
func handler(m Model) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q request
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4<<20)).Decode(&q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		n := 0
		if !q.Pixels.IsZero() {
			n = q.Pixels.Size() / 64
		}
		if n == 0 || n > mostPictures || q.Pixels.Size() != 64*n {
			http.Error(w, fmt.Sprintf("send pixels of 1 to %d pictures of 64 numbers", mostPictures), http.StatusBadRequest)
			return
		}
		a, err := weft.Try(func() answer { return answerTo(m, q, n) })
		if err != nil { // a request must not end the server
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body, err := json.Marshal(a)
		if err != nil { // JSON has no NaN, which pixels that are too large or NaN lead to
			http.Error(w, "the pixels give no probabilities: "+err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if _, err := w.Write(append(body, '\n')); err != nil {
			return // the client has gone
		}
	})
}

// answerTo reads n pictures.
func answerTo(m Model, q request, n int) answer {
	// Every batch size is a program of its own: sizes are rounded up to powers of two.
	size := 1
	for size < n {
		size *= 2
	}
	x := q.Pixels.AsType(weft.Float32).Reshape(n, 64)
	p := read(m, weft.Pad(x, [][2]int{{0, size - n}, {0, 0}}, weft.PadConfig{})).Index(weft.R(0, n))
	a := answer{Digits: weft.ToSlice[int32](p.ArgMax(-1).AsType(weft.Int32))}
	for _, row := range p.Rows() {
		a.Probabilities = append(a.Probabilities, weft.ToSlice[float32](row))
	}
	return a
}
