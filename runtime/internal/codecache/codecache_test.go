package codecache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

const variable, suffix = "WEFT_TEST_CODE_CACHE", ".code"

// keyOf returns the key of test code number i, which is codeOf(i).
func keyOf(i int) Key { return sha256.Sum256(fmt.Append(nil, i)) }

func codeOf(i int) []byte { return bytes.Repeat(fmt.Append(nil, i, "."), 100) }

// A variable names the folder or is off; without it the folder is in the user's cache directory.
func TestDir(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, t.TempDir())
	}
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{"": filepath.Join(base, "weft", "device"), "off": "", "/somewhere/else": "/somewhere/else"} {
		t.Setenv(variable, value)
		if got := Dir(variable, "device"); got != want {
			t.Errorf("%s=%s: got %s, want %s", variable, value, got, want)
		}
	}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, "")
	}
	t.Setenv(variable, "")
	if got := Dir(variable, "device"); got != "" {
		t.Errorf("without a cache directory: got %s, want none", got)
	}
}

// No folder keeps nothing, and neither does one that cannot be made.
func TestNoFolder(t *testing.T) {
	if f := In("", suffix); f != nil {
		t.Errorf("got the folder %s, want none", f.dir)
	}
	for _, f := range []*Folder{nil, In(filepath.Join(os.DevNull, "below"), suffix)} {
		f.Write(keyOf(1), codeOf(1))
		f.TrimLater()
		if code, ok := f.Read(keyOf(1)); ok {
			t.Errorf("got %q, want nothing", code)
		}
	}
}

// Code is read as it was written; a damaged file is not read, and writing replaces it.
func TestDamagedFiles(t *testing.T) {
	f := In(filepath.Join(t.TempDir(), "new", "folder"), suffix)
	if code, ok := f.Read(keyOf(1)); ok {
		t.Errorf("before writing: got %q", code)
	}
	for i := range 2 {
		f.Write(keyOf(i), codeOf(i))
	}
	file := f.file(keyOf(1))
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(f.file(keyOf(0)))
	if err != nil {
		t.Fatal(err)
	}
	changed := func(i int) []byte {
		data := bytes.Clone(good)
		data[i] ^= 1
		return data
	}
	for name, data := range map[string][]byte{
		"empty": nil, "short": good[:10], "a hash alone": good[:sha256.Size], "cut": good[:len(good)-1], "longer": append(bytes.Clone(good), 0),
		"another hash": changed(0), "first byte changed": changed(sha256.Size), "last byte changed": changed(len(good) - 1),
		"no code": seal(keyOf(1), nil), "the file of another key": other,
	} {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if code, ok := f.Read(keyOf(1)); ok {
			t.Errorf("%s: got %q, want nothing", name, code)
		}
		f.Write(keyOf(1), codeOf(1))
		if code, ok := f.Read(keyOf(1)); !ok || !bytes.Equal(code, codeOf(1)) {
			t.Errorf("%s, written anew: got %q, %v, want %q", name, code, ok, codeOf(1))
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	f.Write(keyOf(1), codeOf(1))
	if code, ok := f.Read(keyOf(1)); ok {
		t.Errorf("a folder in the place of the file: got %q, want nothing", code)
	}
	if left, _ := filepath.Glob(filepath.Join(f.dir, partial+"*")); len(left) != 0 {
		t.Errorf("unfinished files are left: %v", left)
	}
}

// Trimming removes what was used longest ago, what processes have left unfinished long ago, and no
// other file.
func TestTrim(t *testing.T) {
	f := In(t.TempDir(), suffix)
	const n = 4
	size := int64(0)
	for i := range n {
		f.Write(keyOf(i), codeOf(i))
		then := time.Now().Add(time.Duration(i-2*n) * time.Hour)
		if err := os.Chtimes(f.file(keyOf(i)), then, then); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(f.file(keyOf(i)))
		if err != nil {
			t.Fatal(err)
		}
		size = info.Size()
	}
	f.Read(keyOf(0)) // used last
	old, recent, foreign := filepath.Join(f.dir, partial+"1"), filepath.Join(f.dir, partial+"2"), filepath.Join(f.dir, "foreign")
	for _, file := range []string{old, recent, foreign} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	then := time.Now().Add(-2 * partialAge)
	for _, file := range []string{old, foreign} {
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
	}
	f.trim(2*size, time.Now().Add(-partialAge))
	for file, want := range map[string]bool{
		f.file(keyOf(0)): true, f.file(keyOf(1)): false, f.file(keyOf(2)): false, f.file(keyOf(3)): true, old: false, recent: true, foreign: true,
	} {
		if _, err := os.Stat(file); (err == nil) != want {
			t.Errorf("%s exists: %v, want %v", filepath.Base(file), err == nil, want)
		}
	}
}

// A folder is trimmed after it was written to, and not again before the next writing.
func TestTrimLater(t *testing.T) {
	f := In(t.TempDir(), suffix)
	old := filepath.Join(f.dir, partial+"1")
	leave := func() {
		if err := os.WriteFile(old, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-2 * partialAge)
		if err := os.Chtimes(old, then, then); err != nil {
			t.Fatal(err)
		}
	}
	trimmed := func() bool {
		f.TrimLater()
		for f.trimming.Load() {
			time.Sleep(time.Millisecond)
		}
		_, err := os.Stat(old)
		return err != nil
	}
	leave()
	if trimmed() {
		t.Error("the folder was trimmed before a process wrote to it")
	}
	f.Write(keyOf(1), codeOf(1))
	if !trimmed() {
		t.Error("the folder was not trimmed after a process wrote to it")
	}
	leave()
	if trimmed() {
		t.Error("the folder was trimmed again, though no process wrote to it")
	}
}

// Processes that use one folder at once, which each of them trims, read whole code or none.
func TestProcesses(t *testing.T) {
	const n = 12
	if dir := os.Getenv(variable); dir != "" {
		f := In(dir, suffix)
		for round := range 100 {
			for i := range n {
				if code, ok := f.Read(keyOf(i)); ok && !bytes.Equal(code, codeOf(i)) {
					t.Fatalf("got %q, want %q", code, codeOf(i))
				}
				f.Write(keyOf(i), codeOf(i))
			}
			if round%3 == 0 {
				f.trim(int64(round)<<5, time.Now().Add(-partialAge))
			}
		}
		return
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			c := exec.Command(os.Args[0], "-test.run", "^TestProcesses$")
			c.Env = append(os.Environ(), variable+"="+dir)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("a process fails: %v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	f := In(dir, suffix)
	for i := range n {
		f.Write(keyOf(i), codeOf(i))
		if code, ok := f.Read(keyOf(i)); !ok || !bytes.Equal(code, codeOf(i)) {
			t.Errorf("a process that comes later: got %q, %v, want %q", code, ok, codeOf(i))
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, partial+"*")); len(left) != 0 {
		t.Errorf("unfinished files are left: %v", left)
	}
}
