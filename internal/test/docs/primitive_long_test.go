//go:build long

package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Who follows docs/adding-a-primitive.md in a copy of the module sees what the page states. The copy is
// compiled anew: four minutes of a processor.
func TestAddingAPrimitive(t *testing.T) {
	root, all := pages(t)
	page := filepath.Join(root, "docs", "adding-a-primitive.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	if out, err := exec.Command("sh", "-c", `cd "$0" && git ls-files -z | xargs -0 cp --parents -t "$1"`, root, copied).CombinedOutput(); err != nil {
		t.Skipf("no copy of the module: %v\n%s", err, out)
	}
	blocks := all[page]
	write(t, filepath.Join(copied, "core", "prim", "softsign.go"), blocks[0].text)
	prints := func(want string, args ...string) {
		t.Helper()
		if !strings.Contains(string(text), "\n    "+want+"\n") {
			t.Fatalf("the page does not state %q", want)
		}
		if out, _ := goTool(t, copied, "test", args...); !strings.Contains(out, want) {
			t.Errorf("go test %v printed\n%s\nwant %s", args, out, want)
		}
	}
	prints("core/prim/softsign.go:6:6: primitive SoftsignP has no sample; add one in internal/test/primtest", "./core/prim")
	file, after, _ := strings.Cut(strings.TrimPrefix(blocks[1].given, "after "), ": ")
	source, err := os.ReadFile(filepath.Join(copied, file))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(copied, file), strings.Replace(string(source), after+"\n", after+"\n"+blocks[1].text, 1))
	if out, err := goTool(t, copied, "generate", "./core/prim"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := goTool(t, copied, "test", "./core/prim"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	m := regexp.MustCompile(`(?m)^    \$ (echo .*)\n    (.*)$`).FindStringSubmatch(string(text))
	if m == nil {
		t.Fatal("the page has no command")
	}
	if out, err := goTool(t, copied, "build", "-o", filepath.Join(copied, "weft"), "./cmd/weft"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command("sh", "-c", `PATH="$0:$PATH"; `+m[1], copied)
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != m[2] {
		t.Errorf("%s: %v\n%s\nwant %s", m[1], err, out, m[2])
	}
	prints("core/prim/softsign.go:6:6: primitive SoftsignP has no function in lax; add one, or a reason in unlaxed", "./lax")
}
