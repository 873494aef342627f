package main

import (
	"fmt"
	"os"
	"strings"
)

// A row is the result of a mutation.
type row struct {
	result string // noticed, missed, equivalent, untried
	by     string // the test that noticed it, of an untried mutation the last time; or the explanation
}

func readList(file string) (map[string]row, error) {
	rows := map[string]row{}
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return rows, nil
	} else if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 6 {
			return nil, fmt.Errorf("%s:%d: wrong number of columns (got %d, want 6); separate them by tabs", file, i+1, len(f))
		}
		rows[strings.Join(f[:4], "\t")] = row{f[4], f[5]}
	}
	return rows, nil
}

func writeList(file string, chosen []place, rows map[string]row) error {
	var b strings.Builder
	b.WriteString("# package\tfile\tfunction\tchange\tresult\tthe test that detected it, or the explanation; see .ci/mutate\n")
	for _, p := range chosen {
		if r := rows[p.key()]; r.result != "" {
			fmt.Fprintf(&b, "%s\t%s\t%s\n", p.key(), r.result, r.by)
		}
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}
