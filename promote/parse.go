package promote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Input is a graph or a table that was read, with its name.
type Input struct {
	Name  string
	Graph *Graph   // nil for a table
	Table *Algebra // nil for a graph
}

// Check returns the report of [CheckGraph] or [CheckTable] on the input.
func (in Input) Check() *Report {
	if in.Graph != nil {
		return CheckGraph(in.Name, in.Graph)
	}
	return CheckTable(in.Name, in.Table)
}

// System returns the input as a promotion system. A graph with a cycle is an error.
func (in Input) System() (System, error) {
	if in.Graph != nil {
		return NewLattice(in.Name, "read from "+in.Name, in.Graph)
	}
	return NewTable(in.Name, "read from "+in.Name, in.Table), nil
}

// Parse reads graphs and tables in any of these forms:
//
//	{"A": ["B", "C"], "B": ["C"]}           a graph: node, what it promotes to; end nodes need no entry
//	{'A': ['B', 'C'], 'B': ['C'],}          the same as Python writes it
//	{"one": {"A": []}, "two": {"B": []}}    several graphs by name
//	{"A": {"A": "A", "B": "B"}, "B": {…}}   a table: row, column, result ("-" or null: none)
//	a < b < c; a < d                        a graph as chains
//	lines of cells between tabs or commas   a table
//
// Lines of cells that begin with # are comments.
func Parse(name string, text []byte) ([]Input, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("this is no text: it is not UTF-8; convert the file")
	}
	inputs, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	for _, in := range inputs {
		for _, n := range in.names() {
			if utf8.RuneCountInString(n) > maxName || strings.ContainsFunc(n, unicode.IsControl) {
				return nil, fmt.Errorf("%.20q… is no name; use at most %d characters, none of which controls a terminal", n, maxName)
			}
		}
	}
	return inputs, nil
}

// maxName is the length of the longest name that is read, in characters.
const maxName = 100

func (in Input) names() []string {
	if in.Table != nil {
		return in.Table.names
	}
	return in.Graph.Nodes()
}

func parse(name string, text []byte) ([]Input, error) {
	text = bytes.Trim(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), "\r\n")
	trimmed := bytes.TrimSpace(text)
	switch {
	case len(trimmed) == 0:
		return nil, errors.New("nothing to read: the input is empty; write a graph or a table")
	case trimmed[0] == '{':
		return parseJSON(name, trimmed)
	case bytes.ContainsRune(text, '<'):
	case (trimmed[0] == '[' || trimmed[0] == '"') && !bytes.ContainsRune(text, '\t'):
		return nil, errors.New(`this is no JSON object; write a graph as {"A": ["B"], "B": []}`)
	case bytes.ContainsRune(text, '\t'), bytes.ContainsRune(text, ','):
		comma := '\t'
		if !bytes.ContainsRune(text, '\t') {
			comma = ','
		}
		a, err := parseCells(string(text), comma)
		return []Input{{Name: name, Table: a}}, err
	}
	g, err := ParseChains(string(trimmed))
	return []Input{{Name: name, Graph: g}}, err
}

// member is a key of a JSON object and its value. An object is the list of its members in the order of the text.
type member struct {
	key string
	val any // string, nil, []any, or []member
}

func parseJSON(name string, text []byte) ([]Input, error) {
	d := json.NewDecoder(bytes.NewReader(fromPython(text)))
	v, err := readValue(d, 0)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("malformed JSON: it ends before the object does; close the object")
		}
		return nil, fmt.Errorf("malformed JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("malformed JSON: something follows the object; remove it")
	}
	top := v.([]member)
	lists, objects := 0, 0
	for _, m := range top {
		switch m.val.(type) {
		case []any, nil:
			lists++
		case []member:
			objects++
		default:
			return nil, fmt.Errorf("node %q has no list; write after it the list of what it promotes to, or an object", m.key)
		}
	}
	switch {
	case lists > 0 && objects > 0:
		return nil, errors.New("some members are lists and some are objects; write lists only for a graph, objects only for a table")
	case objects == 0:
		g, err := graphOf(top)
		return []Input{{Name: name, Graph: g}}, err
	case holdsLists(top):
		var out []Input
		for _, m := range top {
			g, err := graphOf(m.val.([]member))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.key, err)
			}
			out = append(out, Input{Name: m.key, Graph: g})
		}
		return out, nil
	}
	a, err := tableOf(top)
	return []Input{{Name: name, Table: a}}, err
}

// fromPython returns an object of Python as JSON: names between single quotes get double ones,
// and commas before the end of a list or an object are left out. What is JSON stays as it is.
func fromPython(text []byte) []byte {
	const space = " \t\r\n"
	var out []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'':
			out = append(out, '"')
			for i++; i < len(text) && text[i] != c; i++ {
				switch {
				case text[i] == '"':
					out = append(out, '\\')
				case text[i] == '\\' && i+1 < len(text):
					i++
					if text[i] != '\'' {
						out = append(out, '\\')
					}
				}
				out = append(out, text[i])
			}
			if i < len(text) {
				out = append(out, '"')
			}
		case ',':
			rest, before := bytes.TrimLeft(text[i+1:], space), bytes.TrimRight(out, space)
			ends := len(rest) > 0 && (rest[0] == ']' || rest[0] == '}')
			if !ends || len(before) == 0 || bytes.IndexByte([]byte("[{,:"), before[len(before)-1]) >= 0 {
				out = append(out, c)
			}
		default:
			out = append(out, c)
		}
	}
	return out
}

// readValue reads a JSON value and keeps the order of members.
func readValue(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if depth > 2 {
			return nil, errors.New("nested too deeply for a graph or a table; write lists of names")
		}
		if t == '[' {
			list := []any{}
			for d.More() {
				v, err := readValue(d, depth+1)
				if err != nil {
					return nil, err
				}
				list = append(list, v)
			}
			_, err := d.Token()
			return list, err
		}
		members := []member{}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := readValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			members = append(members, member{k.(string), v})
		}
		_, err := d.Token()
		return members, err
	case string, nil:
		return t, nil
	}
	return nil, fmt.Errorf("%v is no name; names stand in quotes", t)
}

func holdsLists(top []member) bool {
	for _, m := range top {
		for _, n := range m.val.([]member) {
			_, ok := n.val.([]any)
			return ok
		}
	}
	return true // objects without members: graphs without nodes
}

// graphOf makes a graph of nodes and lists, and reports all that is wrong.
func graphOf(nodes []member) (*Graph, error) {
	if len(nodes) > MaxNodes {
		return nil, tooMany(len(nodes))
	}
	var faults []error
	g := NewGraph()
	for _, m := range nodes {
		if _, ok := g.index[m.key]; ok {
			faults = append(faults, fmt.Errorf("node %q is given twice; write it once", m.key))
		}
		if undefinedName(m.key) {
			faults = append(faults, fmt.Errorf("node %q: that is how an undefined result is written; choose another name", m.key))
		}
		g.Add(m.key)
	}
	for _, m := range nodes {
		list, ok := m.val.([]any)
		if !ok && m.val != nil {
			faults = append(faults, fmt.Errorf("node %q: what it promotes to is no list; write a list of names", m.key))
			continue
		}
		for _, v := range list {
			to, ok := v.(string)
			if !ok {
				faults = append(faults, fmt.Errorf("node %q: its list contains something that is no name; write a list of names", m.key))
				continue
			}
			if _, ok := g.index[to]; !ok { // an end node
				if undefinedName(to) {
					faults = append(faults, fmt.Errorf("edge %q → %q: that is how an undefined result is written; choose another name", m.key, to))
					continue
				}
				g.Add(to)
			}
			g.Connect(m.key, to)
		}
	}
	if n := len(g.index); n > MaxNodes {
		return nil, tooMany(n)
	}
	return g, joinFaults(faults)
}

func undefinedName(s string) bool { return s == "-" || s == "ERR" || s == "" }

func joinFaults(faults []error) error {
	if len(faults) <= maxNotes {
		return errors.Join(faults...)
	}
	return errors.Join(append(faults[:maxNotes:maxNotes], fmt.Errorf("and %d more faults; mend those above first", len(faults)-maxNotes))...)
}

func tableOf(rows []member) (*Algebra, error) {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.key
	}
	b, err := newTable(names)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		for _, c := range r.val.([]member) {
			result, ok := c.val.(string)
			if !ok && c.val != nil {
				return nil, fmt.Errorf("the cell (%s, %s) contains no name; write the result's", r.key, c.key)
			}
			if err := b.cell(r.key, c.key, strings.TrimSpace(result)); err != nil {
				return nil, err
			}
		}
	}
	return b.done()
}
