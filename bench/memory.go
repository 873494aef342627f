package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/weft-go/weft"
)

// memory measures resident memory of training steps (rows l/) and the cost of a cold
// process (rows m/). Each runs in a process of its own.
func memory(r *runner) {
	for _, which := range []string{"mlp-step", "transformer-step"} {
		name := "l/" + which + "/rss-over-baseline"
		if !r.want(name) {
			continue
		}
		text, err := r.child(which)
		base, peak, ok := pair(text)
		if err != nil || !ok {
			r.fail(name, fmt.Sprint(err, " ", text))
			continue
		}
		r.value(name, "bytes", peak-base)
		r.value("l/"+which+"/rss-peak", "bytes", peak)
	}
	if r.want("m/cold-process") {
		var times []float64
		var peak float64
		for range 6 {
			t := time.Now()
			text, err := r.child("cold")
			times = append(times, float64(time.Since(t).Nanoseconds()))
			_, p, ok := pair(text)
			if err != nil || !ok {
				r.fail("m/cold-process", fmt.Sprint(err, " ", text))
				return
			}
			peak = p
		}
		r.samples("m/cold-process", "whole process to first result of jit(x*2+1)", times[1:])
		r.value("m/cold-process-rss", "bytes", peak)
	}
	if r.want("m/binary-bytes") {
		if path, err := os.Executable(); err == nil {
			if st, err := os.Stat(path); err == nil {
				r.value("m/binary-bytes", "bytes of this program", float64(st.Size()))
			}
		}
	}
}

// child runs one job in a process of its own and returns what it prints.
func (r *runner) child(job string) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	text, err := exec.Command(path, "--threads", strconv.Itoa(r.threads), "--once", job).CombinedOutput()
	return string(text), err
}

func pair(text string) (base, peak float64, ok bool) {
	f := strings.Fields(text)
	if len(f) != 2 {
		return 0, 0, false
	}
	base, err1 := strconv.ParseFloat(f[0], 64)
	peak, err2 := strconv.ParseFloat(f[1], 64)
	return base, peak, err1 == nil && err2 == nil
}

// runOnce runs a job of memory and prints resident memory before it and its peak.
func runOnce(job string) {
	if job == "cold" {
		weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2).Add(1) })(weft.Scalar(3.))
		_, peak := resident()
		fmt.Println(0, peak)
		return
	}
	weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) })(weft.Ones(4))
	// 5 starts a new high-water mark of resident memory.
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	base, _ := resident()
	p, step, x, y := mlpParams(), sgd(mlpLoss), dev(7, 1, 128, 784), oneHot(128, 10)
	if job == "transformer-step" {
		p, step, x, y = tfParams(tfWidth, tfLayers), sgd(tfLoss), dev(20, 1, 8, 128, 256), dev(60, 1, 8, 128, 256)
	}
	g := weft.Jit(step, weft.Donate(0))
	for range 20 {
		p, _ = g(p, x, y)
	}
	_, peak := resident()
	fmt.Println(base, peak)
}

var residentLine = regexp.MustCompile(`(VmRSS|VmHWM):\s+(\d+) kB`)

// resident returns the resident memory of this process and its high-water mark in
// bytes, zeros where the system does not report them.
func resident() (now, peak int64) {
	text, _ := os.ReadFile("/proc/self/status")
	for _, m := range residentLine.FindAllStringSubmatch(string(text), -1) {
		n, _ := strconv.ParseInt(m[2], 10, 64)
		if m[1] == "VmRSS" {
			now = n << 10
		} else {
			peak = n << 10
		}
	}
	return now, peak
}
