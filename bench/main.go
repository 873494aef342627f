// Command bench measures Weft on the rows on which its peers are measured: the same
// work on the same inputs, so that both stand in one table. Each row is appended to a
// CSV file whose columns the peers' programs share.
//
//	go run ./bench --threads 1 --round 0 --out results.csv --max 0.5 --run 'b/|d/'
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"time"
)

func main() {
	var (
		r       runner
		run     = flag.String("run", "", "regexp of the rows to run; empty: all")
		skip    = flag.String("skip", "", "regexp of the rows not to run")
		threads = flag.Int("threads", 1, "number of threads")
		seconds = flag.Float64("max", 1, "seconds of samples a row")
		list    = flag.Bool("list", false, "print the names of the rows and exit")
		once    = flag.String("once", "", "run one job in this process and print what it measured (used for rows of memory and of cold starts)")
	)
	cpu := flag.Bool("cpu", false, "measure the process's CPU time, which other processes disturb less than the clock")
	flag.StringVar(&r.engine, "engine", "weft", "name of the engine in the rows")
	flag.StringVar(&r.out, "out", "", "CSV file to append to")
	flag.IntVar(&r.round, "round", 0, "number of the round, stored in the rows")
	flag.Parse()
	runtime.GOMAXPROCS(*threads)
	r.threads = *threads
	r.max = time.Duration(*seconds * float64(time.Second))
	r.list = *list
	r.clock = func() time.Duration { return time.Since(began) }
	if *cpu {
		r.clock = cpuTime
	}
	var err error
	if r.run, err = regexp.Compile(*run); err == nil && *skip != "" {
		r.skip, err = regexp.Compile(*skip)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if *once != "" {
		runOnce(*once)
		return
	}
	for _, section := range []func(*runner){
		calls, elementwise, functions, rowwise, products, perceptron, convolutions, transformers,
		compilation, movement, derivatives, loops, memory, randomness,
		factorizations, doublings, onnxModels,
	} {
		section(&r)
	}
	if r.failed > 0 {
		fmt.Fprintf(os.Stderr, "bench: %d rows failed\n", r.failed)
		os.Exit(1)
	}
}
