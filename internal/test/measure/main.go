// Command measure measures the accuracy of the elementwise kernels and writes
// docs/accuracy.md. Run it in the root of the repository:
//
//	go run ./internal/test/measure -run [-cc] [-parts 3] [exp f16 'log f64' …]
//	go run ./internal/test/measure
//
// The first measures the named functions and types, or all, unless figures.tsv has figures of
// their present programs. It works part by part, and may be stopped and run again. All take some
// hours on one processor, and some minutes with -cc, which compiles the f32 functions of one
// argument with a C compiler. The second writes the page.
package main

import (
	_ "embed"
	"flag"
	"log"
	"os"
	"slices"

	"github.com/weft-go/weft/internal/test/accuracy"
)

// records is the file that contains the figures.
const records = "internal/test/measure/figures.tsv"

func main() {
	run := flag.Bool("run", false, "measure")
	cc := flag.Bool("cc", false, "measure all f32 with a C compiler")
	parts := flag.Int("parts", accuracy.Parts, "measure so many of 16 parts")
	out := flag.String("o", "docs/accuracy.md", "file to write")
	flag.Parse()
	log.SetFlags(log.Ltime)
	var err error
	if *run {
		err = measure(flag.Args(), *parts, *cc)
	} else {
		var page []byte
		if page, err = pageOf("."); err == nil {
			err = os.WriteFile(*out, page, 0o666)
		}
	}
	if err != nil {
		log.Fatal(err)
	}
}

// measure measures figures of the given names, types or keys, or all, until the given number of
// parts is done.
func measure(names []string, parts int, cc bool) error {
	for _, g := range accuracy.Figures() {
		if len(names) > 0 && !slices.Contains(names, g.Name) && !slices.Contains(names, g.DType.String()) && !slices.Contains(names, g.Key()) {
			continue
		}
		m, err := read(records)
		if err != nil {
			return err
		}
		r := accuracy.RecordOf(m, g)
		for until := min(parts, g.Parts); r.Parts < until; {
			found, to := accuracy.Result{}, r.Parts+1
			if cc && g.All != nil {
				to = until
				if found, err = measureInC(*g.All, r.Parts, to); err != nil {
					return err
				}
			} else {
				found = g.Measure(r.Parts)
			}
			r.Result, r.Parts = accuracy.Join(r.Result, found), to
			if err := keep(r); err != nil {
				return err
			}
			log.Print(r)
		}
	}
	return nil
}

func read(path string) (map[string]accuracy.Record, error) {
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return accuracy.ParseRecords(string(b))
}

// keep writes a record into the file, which another process may have changed since it was read.
func keep(r accuracy.Record) error {
	m, err := read(records)
	if err != nil {
		return err
	}
	m[r.Key] = r
	return os.WriteFile(records, accuracy.FormatRecords(m), 0o666)
}
