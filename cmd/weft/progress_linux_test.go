package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// pseudoTerminal returns both ends of a terminal: what is written to the second is read from
// the first.
func pseudoTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { terminal.Close() })
	return master, terminal
}

// readUntil reads from a terminal until last was read, and returns all. It closes shown as soon as
// text was read.
func readUntil(master *os.File, text, last string) (shown <-chan struct{}, all <-chan []byte) {
	first, seen, found := make(chan struct{}), make(chan []byte, 1), false
	go func() {
		var all bytes.Buffer
		buf := make([]byte, 256)
		for {
			n, err := master.Read(buf)
			all.Write(buf[:n])
			if !found && bytes.Contains(all.Bytes(), []byte(text)) {
				found = true
				close(first)
			}
			if err != nil || bytes.Contains(all.Bytes(), []byte(last)) {
				seen <- all.Bytes()
				return
			}
		}
	}()
	return first, seen
}

// At a terminal a command that takes longer than a second shows what it does, and the line is
// gone before the results. If writing them takes long, it may appear again until the command ends.
func TestProgressOnPseudoTerminal(t *testing.T) {
	master, terminal := pseudoTerminal(t)
	reading, seen := readUntil(master, "reading <stdin>", "end of test")
	slow, text := io.Pipe()
	go func() {
		io.WriteString(text, "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n")
		select {
		case <-reading:
		case <-time.After(time.Minute): // the text below lacks it
		}
		io.WriteString(text, "  return %x : tensor<f32>\n}\n")
		text.Close()
	}()
	assert.Equal(t, done, run([]string{"eval", "-", "1.5"}, slow, terminal, terminal))
	fmt.Fprint(terminal, "end of test")
	assert.Regexp(t, "^(\r\x1b\\[Kreading <stdin>, 0 MB, \\d+ s)+(\r\x1b\\[Kweft eval, \\d+ s)*\r\x1b\\[Kf32\\[\\]\\{1\\.5\\}\r\n((\r\x1b\\[Kweft eval, \\d+ s)+\r\x1b\\[K)?end of test$", string(<-seen))
}
