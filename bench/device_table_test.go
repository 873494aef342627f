package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// manySmall is the number of kernels of the row "many small kernels".
const manySmall = 200

// A deviceFigure is a row of the table of a device: calls of a program, measured by the functions of
// device_figures_test.go, and what their speed must reach.
type deviceFigure struct {
	name string
	log  string  // the step of bench/gpu.sh that measures it; mma and convolutions-mma have WEFT_CUDA_WGMMA=off
	must float64 // the share that must be reached of the speed of the row or peer named by of
	of   string  // copy, torch or jax; "": nothing must be reached
	aim  float64 // the share to aim at; 0: none
	// moved is the memory that a call must move, as a share of the copy's.
	moved float64
	unit  string // of the tensor cores that the row measures: wgmma (where there is none, tcgen05), mma.sync or ""
}

// deviceFigures returns the rows in the order of the table.
func deviceFigures() (all []deviceFigure) {
	log := "memory"
	add := func(must, aim float64, of string, names ...string) {
		for _, name := range names {
			all = append(all, deviceFigure{name: name, log: log, must: must, aim: aim, of: of, moved: 1})
		}
	}
	add(0, 0, "", "copy")
	add(0.85, 0.92, "copy", "elementwise", "sum", "row sums", "column sums", "transpose")
	for i := range all {
		if strings.HasSuffix(all[i].name, "sum") || strings.HasSuffix(all[i].name, "sums") {
			all[i].moved = 0.5 // nothing of the array's size is written
		}
	}
	add(0.75, 0.9, "copy", "softmax", "layer norm", "gradient of softmax", "gradient of layer norm")
	add(0.6, 0, "copy", "cumulative sum", "cumulative sum of a vector", "gather of rows")
	log = "order"
	add(1, 0, "torch", "sort of 1e7")
	add(1, 0, "jax", "normal 1e8")
	add(0, 0, "", "argsort of 1e7", "greatest 100 of 1e7")
	add(0.33, 0, "torch", "scatter-add of 1e6", "scatter-add of 1e6 to one", "count of 1e7", "gradient of embedding")
	add(0, 0, "", "Fourier transforms of 1024", "Fourier transforms of 8192")
	add(0, 0, "", "Cholesky of 10000×16×16")
	for _, size := range []string{"1000×64×64", "1×1024×1024"} {
		add(0, 0, "", "Cholesky of "+size, "LU of "+size, "solve of "+size, "QR of "+size)
	}
	log = "products"
	add(0.75, 0.9, "torch", "product 1024", "product 2048", "product 4096", "product 8192")
	add(0.6, 0.8, "torch", "convolution 3x3")
	log = "wgmma"
	tensor := len(all)
	for _, kind := range []string{"product in tf32 ", "product in tf32 along k ", "product of bf16 "} {
		for _, n := range []string{"1024", "2048", "4096", "8192"} {
			add(0.75, 0.85, "torch", kind+n)
		}
	}
	add(0.75, 0.85, "torch", "long sums in tf32", "long sums of bf16")
	for i := tensor; i < len(all); i++ {
		all[i].unit = "wgmma"
	}
	add(0, 0, "", "attention of bf16 4096", "gradient of attention of bf16 4096", "attention of bf16 32768", "gradient of attention of bf16 32768")
	for _, f := range all[tensor:] {
		f.log, f.must, f.unit = "mma", min(f.must, 0.6), "mma.sync"
		all = append(all, f)
	}
	log = "convolutions"
	convolutions := len(all)
	for _, layer := range []string{"56x64", "14x256"} {
		for _, kind := range []string{" in tf32 ", " of bf16 "} {
			add(0.7, 0.85, "torch", "convolution"+kind+layer, "gradient by image"+kind+layer, "gradient by filter"+kind+layer)
			if layer == "56x64" {
				add(0.7, 0.85, "torch", "convolution of NCHW"+kind+layer)
			}
		}
	}
	for i, f := range all[convolutions:] {
		all[convolutions+i].unit = "mma.sync"
		if strings.Contains(f.name, " of bf16 ") { // tf32 is multiplied by mma.sync everywhere
			all[convolutions+i].unit = "wgmma"
			f.log, f.must, f.unit = "convolutions-mma", 0.6, "mma.sync"
			all = append(all, f)
		}
	}
	log = "steps"
	add(1, 1.3, "jax", "perceptron", "transformer", "large transformer")
	log = "transfers"
	add(0, 0, "", "compute alone", "upload alone", "compute and upload")
	log = "small"
	add(0, 0, "", "call of one small kernel", "many small kernels")
	return all
}

// A measurement is a row of a log.
type measurement struct {
	micros float64
	rate   string
}

// A deviceLogs is what bench/gpu.sh has written: a folder with a log for each step.
type deviceLogs string

// text returns the contents of a file, "" if there is none.
func (l deviceLogs) text(name string) string {
	b, _ := os.ReadFile(filepath.Join(string(l), name))
	return string(b)
}

var (
	benchmarkLine = regexp.MustCompile(`^Benchmark\w*Device/(\S+?)(?:-\d+)?\s+\d+\s+([\d.e+]+) ns/op(.*)`)
	peerLine      = regexp.MustCompile(`^(\S.*?)\s+([\d.]+) us(.*)`)
	rateText      = regexp.MustCompile(`([\d.e+-]+) (GB/s|TFLOP/s)`)
	failedLine    = regexp.MustCompile(`--- (?:FAIL|SKIP): Benchmark\w*Device/(\S+?)(?:-\d+)?$`)
	failedPeer    = regexp.MustCompile(`^(\S.*?)\s+failed: (.*)`)
	source        = regexp.MustCompile(`^\s+\w+\.go:\d+: `)
	notMeasured   = regexp.MustCompile(`(?m)^not measured: (.*)`)
)

// rows returns the measurements of a step's log by row, the last one of a row that was measured again,
// and the reasons for which other rows have failed.
func (l deviceLogs) rows(step string) (rows map[string]measurement, failed map[string]string) {
	rows, failed = map[string]measurement{}, map[string]string{}
	failing := ""
	for line := range strings.Lines(l.text(step + ".log")) {
		line = strings.TrimRight(line, "\n")
		if failing != "" && source.MatchString(line) {
			failed[failing] = source.ReplaceAllString(line, "")
		}
		failing = ""
		if m := failedLine.FindStringSubmatch(line); m != nil {
			failing = plainName(m[1])
			failed[failing] = "failed"
			continue
		}
		if m := failedPeer.FindStringSubmatch(line); m != nil {
			failed[m[1]] = m[2]
			continue
		}
		name, number, rest := "", "", ""
		if m := benchmarkLine.FindStringSubmatch(line); m != nil {
			name, number, rest = plainName(m[1]), m[2], m[3]
		} else if m := peerLine.FindStringSubmatch(line); m != nil {
			name, number, rest = m[1], m[2], m[3]
		}
		t, err := strconv.ParseFloat(number, 64)
		if err != nil || t <= 0 {
			continue
		}
		if strings.HasPrefix(line, "Benchmark") {
			t /= 1000
		}
		r := measurement{micros: t}
		if m := rateText.FindStringSubmatch(rest); m != nil {
			rate, _ := strconv.ParseFloat(m[1], 64)
			r.rate = fmt.Sprintf("%.4g %s", rate, m[2])
		}
		rows[name] = r
		delete(failed, name)
	}
	return rows, failed
}

// plainName returns a row's name as it was before package testing replaced its blanks.
func plainName(name string) string { return strings.ReplaceAll(name, "_", " ") }

// why returns the reason for which a step has no figure of a row.
func (l deviceLogs) why(step, row string) string {
	if _, failed := l.rows(step); failed[row] != "" {
		return failed[row]
	}
	if m := notMeasured.FindAllStringSubmatch(l.text(step+".log"), -1); m != nil {
		return m[len(m)-1][1]
	}
	reason := "step " + step + " has not run"
	for line := range strings.Lines(l.text("notes")) {
		if name, note, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && name == step {
			reason = "step " + step + " " + note
			if note == "ended" {
				reason += " without this row"
			}
		}
	}
	return reason
}

// A verdict counts the rows that must reach something.
type verdict struct {
	reached, missed, unmeasured int
	without                     int // rows that are not compared with JAX, because it is not installed
}

func (v *verdict) of(reached bool) string {
	if reached {
		v.reached++
		return "reached"
	}
	v.missed++
	return "**MISSED**"
}

func (v *verdict) not(why string) string {
	v.unmeasured++
	return "not measured: " + why
}

// printFigures prints the table of figures.
func (l deviceLogs) printFigures(w io.Writer) (v verdict) {
	rows := map[string]map[string]measurement{}
	for _, step := range []string{"memory", "order", "products", "wgmma", "mma", "convolutions", "convolutions-mma", "steps", "transfers", "small", "torch", "jax"} {
		rows[step], _ = l.rows(step)
	}
	copied := math.Inf(1)
	for _, step := range []string{"memory", "torch", "jax"} {
		for _, name := range []string{"copy", "copy by the driver"} {
			if r, ok := rows[step][name]; ok {
				copied = min(copied, r.micros)
			}
		}
	}
	fmt.Fprintln(w, "| row | ours, µs | rate | PyTorch, µs | JAX, µs | reached | must | aim | |\n|---|---|---|---|---|---|---|---|---|")
	for _, f := range deviceFigures() {
		cells := []string{f.name, "–", "", "–", "–", "–", "", "", ""}
		if f.unit != "" {
			cells[0] += ", " + f.unit
		}
		r, measured := rows[f.log][f.name]
		if measured {
			cells[1], cells[2] = fmt.Sprintf("%.1f", r.micros), r.rate
		}
		plain := strings.ReplaceAll(f.name, " along k", "") // the same product, with operands in another order
		for i, peer := range []string{"torch", "jax"} {
			if p, ok := rows[peer][plain]; ok {
				cells[3+i] = fmt.Sprintf("%.1f", p.micros)
			}
		}
		beside, there := copied*f.moved, !math.IsInf(copied, 1)
		if f.of == "torch" || f.of == "jax" {
			var p measurement
			p, there = rows[f.of][plain]
			beside = p.micros
		}
		if f.of != "" {
			cells[6] = fmt.Sprintf("%.0f %% of %s", 100*f.must, peerNames[f.of])
		}
		if f.aim > 0 {
			cells[7] = fmt.Sprintf("%.0f %%", 100*f.aim)
		}
		if f.of != "" && measured && there {
			cells[5] = fmt.Sprintf("%.0f %%", 100*beside/r.micros)
		}
		switch {
		case f.unit != "" && l.lacks(f.unit):
			cells[1], cells[2], cells[5], cells[8] = "–", "", "–", v.not("the device has no "+f.unit)
		case f.of == "" && !measured:
			cells[8] = "not measured: " + l.why(f.log, f.name)
		case f.of == "":
		case !measured:
			cells[8] = v.not(l.why(f.log, f.name))
		case !there && f.of == "copy":
			cells[8] = v.not("no copy was measured")
		case !there && f.of == "jax" && strings.Contains(l.text("jax.log"), "jax is not installed"):
			v.without++ // the comparison is demanded only if JAX is on the machine
			cells[8] = "not measured: JAX is not installed"
		case !there:
			cells[8] = v.not(peerNames[f.of] + ": " + l.why(f.of, plain))
		default:
			cells[8] = v.of(beside/r.micros >= f.must)
		}
		fmt.Fprintln(w, "|", strings.Join(cells, " | "), "|")
	}
	small, ok := rows["small"]["many small kernels"]
	l.absolute(w, &v, "a graph's node", "µs", small.micros/manySmall, 1.5, 0, ok, func() string { return l.why("small", "many small kernels") })
	launch, ok := middle(l.text("launch.log"), `BenchmarkLaunch\S*\s+\d+\s+([\d.]+) ns/op`, 0)
	l.absolute(w, &v, "launch, beside the driver's time", "µs", launch/1e3, 0.2, 0, ok, func() string { return l.why("launch", "") })
	compute, upload, both := rows["transfers"]["compute alone"].micros, rows["transfers"]["upload alone"].micros, rows["transfers"]["compute and upload"].micros
	ratio := both / max(compute, upload)
	l.absolute(w, &v, "transfers beside compute: both at once, in times of the longer one", "×", ratio, 1.2, 1.05, min(compute, upload, both) > 0, func() string {
		switch {
		case compute == 0:
			return l.why("transfers", "compute alone")
		case upload == 0:
			return l.why("transfers", "upload alone")
		}
		return l.why("transfers", "compute and upload")
	})
	const call = `DeviceFirstCall\S*\s+\d+\s+([\d.e+]+) ns/op`
	cold, ok := middle(l.text("cold.log"), call, 0)
	l.absolute(w, &v, "first call of a perceptron's step, nothing cached", "ms", cold/1e6, 300, 100, ok, func() string { return l.why("cold", "") })
	warm, ok := middle(l.text("warm.log"), call, 1) // the first call fills the cache
	l.absolute(w, &v, "first call, machine code cached", "ms", warm/1e6, 20, 5, ok, func() string { return l.why("warm", "") })
	opened, ok := middle(l.text("cold.log")+l.text("warm.log"), `DeviceFirstCall.* ([\d.e+]+) ms-to-open`, 0)
	if ok {
		fmt.Fprintf(w, "| opening the device, before those calls | %.3g ms | | | | | | | |\n", opened)
	} else {
		fmt.Fprintf(w, "| opening the device, before those calls | – | | | | | | | not measured: %s |\n", l.why("cold", ""))
	}
	return v
}

var peerNames = map[string]string{"copy": "the copy", "torch": "PyTorch", "jax": "JAX"}

// absolute prints a row whose figure must be at most a number, and may have a smaller number as its aim.
func (l deviceLogs) absolute(w io.Writer, v *verdict, name, unit string, got, most, aim float64, measured bool, why func() string) {
	cell, judged, aims := "–", "", ""
	if aim > 0 {
		aims = fmt.Sprintf("≤ %v %s ", aim, unit)
	}
	if measured {
		cell, judged = fmt.Sprintf("%.3g %s", got, unit), v.of(got <= most)
	} else {
		judged = v.not(why())
	}
	fmt.Fprintf(w, "| %s | %s | | | | | ≤ %v %s | %s| %s |\n", name, cell, most, unit, aims, judged)
}

// middle returns the median of the numbers that match a pattern, without the first ones, as many as skip.
func middle(text, pattern string, skip int) (median float64, ok bool) {
	var all []float64
	for i, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		if x, err := strconv.ParseFloat(m[1], 64); err == nil && i >= skip {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	slices.Sort(all)
	return all[len(all)/2], true
}

// lacks reports whether the log about the device states that it has no such tensor cores.
func (l deviceLogs) lacks(unit string) bool {
	about := l.text("device.log")
	if !strings.Contains(about, "device: ") {
		return false // nothing is stated
	}
	copies := strings.Contains(about, "tensor cores (wgmma)") || strings.Contains(about, "tensor cores (tcgen05)")
	return !copies && (unit == "wgmma" || !strings.Contains(about, "tensor cores (mma.sync)"))
}

// printDeviceTable prints the lines about the device and the run, and both tables. It reports
// whether every check has passed and every row reaches what it must.
func printDeviceTable(w io.Writer, l deviceLogs) bool {
	for _, file := range []string{"revision.log", "gpu.log", "device.log", "torch.log", "jax.log"} {
		for line := range strings.Lines(l.text(file)) {
			line = source.ReplaceAllString(line, "")
			if file == "revision.log" || file == "gpu.log" || strings.HasPrefix(line, "device: ") || strings.HasPrefix(line, "peer: ") {
				fmt.Fprintln(w, "*", strings.TrimSpace(line))
			}
		}
	}
	if s := os.Getenv("WEFT_SCALE"); s != "" && s != "1" {
		fmt.Fprintf(w, "* WEFT_SCALE=%s: arrays are smaller than the rows' names state. These times are no figures.\n", s)
	}
	fmt.Fprintln(w)
	v := l.printFigures(w)
	fmt.Fprintf(w, "\nOf %d rows with a must: %d reached, %d missed, %d not measured", v.reached+v.missed+v.unmeasured+v.without, v.reached, v.missed, v.unmeasured)
	if v.without > 0 {
		fmt.Fprintf(w, ", %d not compared, for JAX is not installed", v.without)
	}
	fmt.Fprint(w, ".\n\n")
	passed := l.printChecks(w)
	return passed && v.missed == 0 && v.unmeasured == 0
}

// TestPrintDeviceTable prints the table of the logs in the folder that WEFT_LOGS names. bench/gpu.sh ends with it.
func TestPrintDeviceTable(t *testing.T) {
	folder := os.Getenv("WEFT_LOGS")
	if folder == "" {
		t.Skip("WEFT_LOGS names no folder")
	}
	if !printDeviceTable(os.Stdout, deviceLogs(folder)) {
		t.Error("not everything has passed and reaches what it must")
	}
}
