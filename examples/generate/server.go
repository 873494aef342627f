package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Limits of requests.
const (
	maxBody   = 1 << 14
	maxTokens = 128
	maxBatch  = 8
	maxQueue  = 64
)

// A Request is the beginning of a text, how many tokens it is continued by, and how they are drawn: at heat 0 always
// the likeliest one.
type Request struct {
	Prompt string  `json:"prompt"`
	Tokens int     `json:"tokens"`
	Heat   float64 `json:"heat"`
	Seed   uint64  `json:"seed"`
}

// An End is the last event of a stream.
type End struct {
	Tokens int    `json:"tokens"`
	Batch  int    `json:"batch"`  // the most texts that were continued together with this one
	Logits string `json:"logits"` // a hash of the bits of the logits
}

var (
	errBusy    = errors.New("too many texts wait; try again later")
	errStopped = errors.New("the server stops; try again later")
)

// A Server continues texts. Waiting texts are continued together: after each token texts may join or leave.
type Server struct {
	decoder *Decoder
	queue   chan job
	stopped chan struct{}
}

// job is a text of a client that may leave.
type job struct {
	*text
	ctx context.Context
}

// NewServer starts a server, which ends with ctx.
func NewServer(ctx context.Context, d *Decoder) *Server {
	s := &Server{d, make(chan job, maxQueue), make(chan struct{})}
	go s.run(ctx)
	return s
}

// run makes one token after the other for all texts.
func (s *Server) run(ctx context.Context) {
	defer close(s.stopped)
	var jobs []job
	for {
		for len(jobs) < maxBatch {
			if len(jobs) == 0 { // nothing to do
				select {
				case j := <-s.queue:
					jobs = append(jobs, j)
				case <-ctx.Done():
					return
				}
				continue
			}
			select {
			case j := <-s.queue:
				jobs = append(jobs, j)
				continue
			default:
			}
			break
		}
		texts := make([]*text, len(jobs))
		before := make([]int, len(jobs))
		for i, j := range jobs {
			texts[i], before[i] = j.text, len(j.ids)
		}
		err := s.decoder.next(texts)
		going := jobs[:0]
		for i, j := range jobs {
			t := j.text
			if len(t.ids) > before[i] {
				t.out <- s.decoder.Tokens.Decode(t.ids[t.prompt:])
			}
			if t.err = errors.Join(err, j.ctx.Err()); ctx.Err() != nil && t.err == nil && len(t.ids) < t.limit {
				t.err = errStopped
			}
			if t.err != nil || len(t.ids) >= t.limit {
				close(t.out)
				continue
			}
			going = append(going, j)
		}
		jobs = going
	}
}

// Handler answers POST /generate with a stream of server-sent events: the text as it grows, then an End.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /generate", func(w http.ResponseWriter, r *http.Request) {
		var q Request
		d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
		d.DisallowUnknownFields()
		if err := d.Decode(&q); err != nil {
			http.Error(w, fmt.Sprintf("not a request: %v", err), http.StatusBadRequest)
			return
		}
		if q.Tokens < 1 || q.Tokens > maxTokens || !(q.Heat >= 0 && q.Heat <= 10) {
			http.Error(w, fmt.Sprintf("tokens must be 1 to %d (got %d), heat 0 to 10 (got %v)", maxTokens, q.Tokens, q.Heat), http.StatusBadRequest)
			return
		}
		t, err := s.decoder.newText(q)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		select {
		case s.queue <- job{t, r.Context()}:
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, errBusy.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-store")
		flush := http.NewResponseController(w).Flush
		sent, stopped := "", s.stopped
		for {
			select {
			case whole, more := <-t.out:
				if !more {
					s.end(w, t, sent)
					_ = flush()
					return
				}
				// A character whose bytes are not complete yet waits for them.
				if whole = strings.TrimRight(whole, "\uFFFD"); len(whole) > len(sent) {
					event(w, "", whole[len(sent):])
					sent = whole
					_ = flush()
				}
			case <-stopped:
				stopped = nil
				s.drain()
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "ok") })
	return mux
}

// drain ends the texts that wait after the server has stopped. A text that joined the queue too late for the others' call
// is ended by its own.
func (s *Server) drain() {
	for {
		select {
		case j := <-s.queue:
			j.err = errStopped
			close(j.out)
		default:
			return
		}
	}
}

// end writes the last events of a stream: what is left of the text, and the end.
func (s *Server) end(w http.ResponseWriter, t *text, sent string) {
	if t.err != nil {
		event(w, "error", t.err.Error())
		return
	}
	if rest := s.decoder.Tokens.Decode(t.ids[t.prompt:])[len(sent):]; rest != "" {
		event(w, "", rest)
	}
	event(w, "end", End{len(t.ids) - t.prompt, t.batch, fmt.Sprintf("%016x", t.sum.Sum64())})
}

// event writes a server-sent event, whose data is JSON. An error means that the client has left.
func event(w http.ResponseWriter, name string, data any) {
	b, err := json.Marshal(data)
	if err != nil {
		return
	}
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", b)
}

// httpServer returns a server with limits on the time and the data that a client takes.
func httpServer(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 2 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 14}
}
