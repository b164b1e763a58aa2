package fix

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"
)

// ChangedError tells that a file holds something else than what was judged.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string {
	return e.Path + ": the file was changed meanwhile; it is left as it is now"
}

// Write puts the changes on the disk. All files are checked first: if one has changed since it was read, or can't be
// written, none is touched. Each file is replaced in one step and keeps its mode; of a link, the file that it leads to.
func Write(changes []Change) error {
	files := make([]string, len(changes))
	for i, c := range changes {
		file, err := check(c)
		if err != nil {
			return err
		}
		files[i] = file
	}
	for i, c := range changes {
		if err := replace(files[i], c); err != nil {
			return err
		}
	}
	return nil
}

// check returns the file that holds a change's old text.
func check(c Change) (string, error) {
	file, err := filepath.EvalSymlinks(filepath.FromSlash(c.Path))
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(file, os.O_RDWR, 0) // a file that is read-only stays as it is
	if err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	return file, unchanged(file, c)
}

func unchanged(file string, c Change) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(text, c.Old) {
		return &ChangedError{Path: c.Path}
	}
	return nil
}

// replace writes the new text beside a file and puts it in its place.
func replace(file string, c Change) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".causetc-*")
	if err != nil {
		return err
	}
	err = fill(temp, c.New, info.Mode().Perm())
	if err == nil {
		err = unchanged(file, c)
	}
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
		return fmt.Errorf("%s: %w", c.Path, err)
	}
	return nil
}

// fill writes a file to the disk and closes it.
func fill(f *os.File, text []byte, mode os.FileMode) error {
	_, err := f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// Diff returns a change as a unified diff, which patch -p1 and git apply take.
func Diff(c Change) string {
	return udiff.Unified("a/"+c.Path, "b/"+c.Path, string(c.Old), string(c.New))
}
