package equinox

import (
	"regexp"
	"strings"
)

// node is a part of the text of a pytree's structure: PyTreeDef((*, None,
// CustomNode(LU[(Missing,)], []))).
type node struct {
	name string // of a custom node; "*" of a leaf, "None", "(" of a tuple, "[" of a list, "{" of a dictionary
	aux  string // of a custom node, in its brackets
	keys []string
	kids []*node
	leaf int
}

// parseTree reads the text of a structure and numbers its leaves.
func parseTree(text string) (*node, int, bool) {
	body, ok := strings.CutPrefix(text, "PyTreeDef(")
	body, closed := strings.CutSuffix(body, ")")
	leaves := 0
	n, ok2 := parseNode(strings.TrimSpace(body), &leaves)
	return n, leaves, ok && closed && ok2
}

var customNode = regexp.MustCompile(`^CustomNode\((\w+)\[`)

func parseNode(s string, leaves *int) (*node, bool) {
	kids := func(n *node, list []string) (*node, bool) {
		for _, e := range list {
			k, ok := parseNode(e, leaves)
			if !ok {
				return nil, false
			}
			n.kids = append(n.kids, k)
		}
		return n, true
	}
	switch {
	case s == "*":
		*leaves++
		return &node{name: "*", leaf: *leaves - 1}, true
	case s == "None":
		return &node{name: "None"}, true
	case strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")"), strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]"):
		return kids(&node{name: s[:1]}, split(s[1:len(s)-1]))
	case strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}"):
		n := &node{name: "{"}
		var values []string
		for _, e := range split(s[1 : len(s)-1]) {
			k, v, ok := strings.Cut(e, ": ")
			if !ok {
				return nil, false
			}
			n.keys, values = append(n.keys, k), append(values, v)
		}
		return kids(n, values)
	}
	m := customNode.FindStringSubmatch(s)
	if m == nil || !strings.HasSuffix(s, ")") {
		return nil, false
	}
	parts := split(s[len("CustomNode(") : len(s)-1])
	if len(parts) != 2 || !strings.HasSuffix(parts[0], "]") || !strings.HasPrefix(parts[1], "[") {
		return nil, false
	}
	return kids(&node{name: m[1], aux: parts[0][len(m[1])+1 : len(parts[0])-1]}, split(parts[1][1:len(parts[1])-1]))
}

// String returns the text of the structure within PyTreeDef(…).
func (n *node) String() string {
	var list []string
	for i, k := range n.kids {
		s := k.String()
		if n.name == "{" {
			s = n.keys[i] + ": " + s
		}
		list = append(list, s)
	}
	joined := strings.Join(list, ", ")
	switch n.name {
	case "*", "None":
		return n.name
	case "(":
		return tupleText(list)
	case "[":
		return "[" + joined + "]"
	case "{":
		return "{" + joined + "}"
	}
	return "CustomNode(" + n.name + "[" + n.aux + "], [" + joined + "])"
}

func (n *node) leavesOf(list []int) []int {
	if n.name == "*" {
		return append(list, n.leaf)
	}
	for _, k := range n.kids {
		list = k.leavesOf(list)
	}
	return list
}

// is reports whether n is a node with a name and a number of parts; kids −1 stands for any number.
func (n *node) is(name string, kids int) bool {
	return n != nil && n.name == name && (kids < 0 || len(n.kids) == kids)
}
