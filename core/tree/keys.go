package tree

import (
	"reflect"
	"strconv"
	"strings"
)

func orderedKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return false
}

// keyText returns a map's key as Go writes it: "k", 3.
func keyText(k reflect.Value) string {
	if k.Kind() == reflect.String {
		return strconv.Quote(k.String())
	}
	return KeyName(k)
}

// KeyName returns the name of a map's key, without quotes: k, 3.
func KeyName(k reflect.Value) string {
	switch {
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10)
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10)
	}
	return k.String()
}

// keyLabel returns the part of a path that leads to a map's element: ["k"], [3].
func keyLabel(k reflect.Value) string { return "[" + keyText(k) + "]" }

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// rootPath returns a path as messages show it: without a dot in front, and "the value" for the root.
func rootPath(path string) string {
	if path == "" {
		return "the value"
	}
	return strings.TrimPrefix(path, ".")
}
