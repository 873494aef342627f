// Command chars trains a small transformer to continue sonnets, character by character: rotary
// positions, a schedule with a warmup, an average of the weights, checkpoints that resume to the
// same bits, a cache of keys and values for writing, and a server.
//
//	go run ./examples/chars -o run
//	go run ./examples/chars -o run -resume -steps 600
//	go run ./examples/chars -o run -listen :8080
//	curl 'localhost:8080/continue?text=Shall+I&length=60'
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/examples/curve"
	"github.com/weft-go/weft/random"
)

// The sonnets 18, 29, 116 and 130 of William Shakespeare (1609).
//
//go:embed sonnets.txt
var sonnets string

type config struct {
	steps  int
	total  int // steps that the schedule is made for
	seed   uint64
	dir    string
	resume bool
}

func main() {
	c := config{}
	flag.IntVar(&c.steps, "steps", 300, "train up to this step")
	flag.IntVar(&c.total, "total", 300, "the steps that the learning rate is planned for")
	flag.Uint64Var(&c.seed, "seed", 0, "of the weights and of the pieces of text")
	flag.StringVar(&c.dir, "o", ".", "the folder of chars.safetensors and loss.svg")
	flag.BoolVar(&c.resume, "resume", false, "go on from chars.safetensors")
	listen := flag.String("listen", "", "serve the model of chars.safetensors at this address instead")
	flag.Parse()
	err := error(nil)
	if *listen != "" {
		err = serve(*listen, c)
	} else {
		_, err = run(os.Stdout, c)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// alphabet is the characters of the sonnets in order.
var alphabet = func() string {
	letters := []byte(sonnets)
	slices.Sort(letters)
	return string(slices.Compact(letters))
}()

// encode returns the numbers of a text's characters. Characters that the sonnets lack are left out.
func encode(text string) weft.Array {
	var at []int32
	for i := range len(text) {
		if k := strings.IndexByte(alphabet, text[i]); k >= 0 {
			at = append(at, int32(k))
		}
	}
	return weft.FromSlice(at)
}

func decode(letters weft.Array) string {
	var b strings.Builder
	for k := range weft.Values[int32](letters) {
		b.WriteByte(alphabet[k])
	}
	return b.String()
}

// run trains and returns the last state.
func run(w io.Writer, c config) (State, error) {
	s := newState(len(alphabet), c.total, c.seed)
	if c.resume {
		if err := load(c, &s); err != nil {
			return State{}, err
		}
		fmt.Fprintf(w, "resumed after step %d\n", s.Opt.Step.Int())
	}
	text := encode(sonnets)
	var losses []float64
	for n := s.Opt.Step.Int(); n < c.steps; n++ {
		loss, err := step(&s, text)
		if err != nil {
			return State{}, err
		}
		losses = append(losses, loss.Float())
		if (n+1)%50 == 0 || n+1 == c.steps {
			fmt.Fprintf(w, "step %d: loss %.3f\n", n+1, losses[len(losses)-1])
			if err := save(c, s); err != nil {
				return State{}, err
			}
		}
	}
	fmt.Fprintf(w, "\n%s\n", s.continued("Shall I compare", 120, 0.5, c.seed))
	if len(losses) == 0 {
		return s, nil
	}
	return s, draw(c, losses)
}

// continued returns a beginning with n characters after it.
func (s State) continued(beginning string, n int, temperature float64, seed uint64) string {
	at := encode(beginning)
	return beginning + decode(write(s.Mean.Mean, at, weft.Scalar(float32(temperature)), random.New(seed), n))
}

func (c config) file() string { return filepath.Join(c.dir, "chars.safetensors") }

// save writes the state to a new file, which then replaces the old checkpoint, so that there is always
// a complete one.
func save(c config, s State) error {
	f, err := os.CreateTemp(c.dir, "checkpoint-*")
	if err != nil {
		return err
	}
	err = errors.Join(weft.Save(f, s), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), c.file())
	}
	return err
}

func load(c config, s *State) error {
	f, err := os.Open(c.file())
	if err != nil {
		return err
	}
	defer f.Close()
	return weft.Load(f, s)
}

func draw(c config, losses []float64) error {
	f, err := os.Create(filepath.Join(c.dir, "loss.svg"))
	if err != nil {
		return err
	}
	return errors.Join(curve.SVG(f, "A transformer learns sonnets", curve.Line{Name: "surprise at each character", Values: losses}), f.Close())
}

func serve(address string, c config) error {
	s := newState(len(alphabet), c.total, c.seed)
	if err := load(c, &s); err != nil {
		return err
	}
	http.Handle("GET /continue", s.handler())
	log.Printf("writing at %s/continue?text=Shall+I&length=60", address)
	return http.ListenAndServe(address, nil)
}

// handler returns a handler that continues texts. It may be used by many goroutines.
func (s State) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := struct {
			length, seed int
			temperature  float64
		}{60, 0, 0.5}
		text := r.FormValue("text")
		for name, to := range map[string]any{"length": &q.length, "seed": &q.seed, "temperature": &q.temperature} {
			if v := r.FormValue(name); v != "" {
				if _, err := fmt.Sscan(v, to); err != nil {
					http.Error(w, fmt.Sprintf("%s is %q, which is no number", name, v), http.StatusBadRequest)
					return
				}
			}
		}
		n := encode(text).Size()
		if n == 0 || q.length < 1 || n+q.length > longest || !(q.temperature > 0) {
			http.Error(w, fmt.Sprintf("send a text, a length of 1 to %d together with it, and a temperature above 0", longest), http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, s.continued(text, q.length, q.temperature, uint64(q.seed)))
	})
}
