package main

import (
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
)

// progress is a bar on a terminal, and nothing elsewhere.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(screen io.Writer, steps int) progress {
	f, ok := screen.(*os.File)
	if !ok {
		return progress{}
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return progress{}
	}
	return progress{progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(screen),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish(),
	)}
}

// Add counts a step.
func (p progress) Add(loss float64) {
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("loss %.4f", loss))
		_ = p.bar.Add(1) // a terminal that cannot be written to is no reason to stop
	}
}

// Pause makes room for a line of text; the next step shows the bar again.
func (p progress) Pause() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
