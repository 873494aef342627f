package cpu

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tunedShape is what a tuned schedule belongs to.
type tunedShape struct {
	Chip    string
	ISA     string
	Threads int
	Shape   string
}

// tuningFormat is the first word of the file: schedules of another version are not read. The
// number of entries comes behind it, and then each entry as a line of cells that tabs separate:
// chip, instruction set, number of threads, shape, and name=value for each number or decision
// of the schedule that is not zero. It is no JSON, since few programs need encoding/json,
// which adds 230 kB to each.
const tuningFormat = "weft tuning 2"

// mostTuningBytes is the size of the largest file that is read.
const mostTuningBytes = 64 << 20

// A scheduleField is a number or a decision of a schedule; the other of both is nil.
type scheduleField struct {
	name   string
	number *int
	choice *choice
}

// fields returns what the schedule consists of, as the file names it.
func (c *schedule) fields() []scheduleField {
	return []scheduleField{
		{"rows", &c.Rows, nil}, {"vecs", &c.Vecs, nil},
		{"few", nil, &c.Few}, {"sweep", nil, &c.Sweep}, {"left", nil, &c.Left}, {"right", nil, &c.Right}, {"lines", nil, &c.Lines},
		{"deep", &c.Deep, nil}, {"panel", &c.Panel, nil},
	}
}

// tuningLine returns an entry as a line of the file.
func tuningLine(k tunedShape, c schedule) string {
	b := fmt.Appendf(nil, "%q\t%q\t%d\t%q", k.Chip, k.ISA, k.Threads, k.Shape)
	for _, f := range c.fields() {
		switch {
		case f.number != nil && *f.number != 0:
			b = fmt.Appendf(b, "\t%s=%d", f.name, *f.number)
		case f.choice != nil && *f.choice != "":
			b = fmt.Appendf(b, "\t%s=%s", f.name, *f.choice)
		}
	}
	return string(append(b, '\n'))
}

// readTuningLine reads what tuningLine wrote; ok is false of other text.
func readTuningLine(line string) (k tunedShape, c schedule, ok bool) {
	cells := strings.Split(line, "\t")
	if len(cells) < 4 {
		return k, c, false
	}
	var err [4]error
	k.Chip, err[0] = strconv.Unquote(cells[0])
	k.ISA, err[1] = strconv.Unquote(cells[1])
	k.Threads, err[2] = strconv.Atoi(cells[2])
	k.Shape, err[3] = strconv.Unquote(cells[3])
	if cmp.Or(err[:]...) != nil {
		return k, c, false
	}
	fields := c.fields()
	for _, cell := range cells[4:] {
		name, value, _ := strings.Cut(cell, "=")
		i := slices.IndexFunc(fields, func(f scheduleField) bool { return f.name == name })
		if i < 0 {
			return k, c, false
		}
		if f := fields[i]; f.choice != nil {
			*f.choice = choice(value)
		} else if *f.number, err[0] = strconv.Atoi(value); err[0] != nil {
			return k, c, false
		}
	}
	return k, c, true
}

// readTuning adds the entries of a file's text that known lacks; ok is false of any other text,
// of which wrong is the first line that does not fit.
func readTuning(text string, known map[tunedShape]schedule) (wrong string, ok bool) {
	head, text, _ := strings.Cut(text, "\n")
	format, number, _ := strings.Cut(head, "\t")
	if format != tuningFormat {
		return head, false
	}
	found := map[tunedShape]schedule{}
	n := 0
	for line := range strings.Lines(text) {
		k, c, ok := readTuningLine(strings.TrimSuffix(line, "\n"))
		if !ok {
			return line, false
		}
		if _, ok := known[k]; !ok {
			found[k] = c
		}
		n++
	}
	if number != strconv.Itoa(n) { // cut short
		return head, false
	}
	maps.Copy(known, found)
	return "", true
}

// read adds the entries of the file.
func (t *tuner) read() {
	info, err := os.Stat(t.path)
	if os.IsNotExist(err) {
		return
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > mostTuningBytes) {
		err = fmt.Errorf("%s is no file of tuned schedules (got mode %v, %d bytes, want a file of at most 64 MB); name another", t.path, info.Mode(), info.Size())
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(t.path)
	}
	if err == nil {
		if wrong, ok := readTuning(string(text), t.known); !ok {
			err = fmt.Errorf("%s is no file of tuned schedules (got %.80q, want %q with the number of entries and as many lines); name another", t.path, wrong, tuningFormat)
		}
	}
	if err != nil {
		t.warn(err)
	}
}

// write replaces the file, whose permissions stay.
func (t *tuner) write() error {
	var keys []*tunedShape // sorting pointers needs no code of its own
	for k := range t.known {
		keys = append(keys, &k)
	}
	slices.SortFunc(keys, func(a, b *tunedShape) int {
		return cmp.Or(cmp.Compare(a.Chip, b.Chip), cmp.Compare(a.ISA, b.ISA), cmp.Compare(a.Threads, b.Threads), cmp.Compare(a.Shape, b.Shape))
	})
	text := fmt.Appendf(nil, "%s\t%d\n", tuningFormat, len(keys))
	for _, k := range keys {
		text = append(text, tuningLine(*k, t.known[*k])...)
	}
	tmp, err := os.CreateTemp(filepath.Dir(t.path), filepath.Base(t.path)+".*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if info, e := os.Stat(t.path); err == nil && e == nil {
		err = tmp.Chmod(info.Mode().Perm())
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), t.path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}
