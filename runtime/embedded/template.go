package embedded

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// templateLayout changes when clusters are made in another way, so that older templates are left alone.
const templateLayout = "1"

// template is the cached copy of a freshly made cluster. Making one takes a second, copying it a tenth.
type template struct{ folder string }

// templateOf names the template for a server; another build of the server has another one. It returns false without a cache.
func templateOf(cache string, b binaries) (template, bool) {
	info, err := os.Stat(b.program("postgres"))
	if err != nil || cache == "" {
		return template{}, false
	}
	id := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%d\n%d", templateLayout, strings.Join(initOptions(false), " "),
		b.dir, info.Size(), info.ModTime().UnixNano()))
	return template{folder: filepath.Join(cache, "templates", fmt.Sprintf("%d-%s", b.major, hex.EncodeToString(id[:8])))}, true
}

func (t template) data() string  { return filepath.Join(t.folder, "data") }
func (t template) proof() string { return filepath.Join(t.folder, "size") }

// copyTo makes a cluster from the template. It returns false, and leaves nothing, if there is no template or a broken one,
// such as one that lost files when the machine crashed.
func (t template) copyTo(cluster string, as *account) bool {
	want, err := os.ReadFile(t.proof())
	if err != nil {
		return false
	}
	got, err := copyTree(t.data(), cluster, as)
	if err == nil && got.String() == string(want) {
		return true
	}
	removeFolder(cluster)
	return false
}

// store makes the template from a cluster that has never run. It is complete or absent at every moment; where several
// processes store it, one wins. Its failure only costs time, so nobody asks.
func (t template) store(cluster string, s *starter) {
	work, err := s.temporary(filepath.Dir(t.folder), "new-")
	if err != nil {
		return
	}
	defer removeFolder(work)
	made := template{folder: work}
	size, err := copyTree(cluster, made.data(), nil)
	if err != nil {
		return
	}
	if err := os.WriteFile(made.proof(), []byte(size.String()), 0o600); err != nil {
		return
	}
	_ = os.Rename(work, t.folder)
}

// discard removes a template that proved unusable.
func (t template) discard(s *starter) {
	if _, err := os.Stat(t.folder); err != nil {
		return
	}
	work, err := s.temporary(filepath.Dir(t.folder), "old-")
	if err != nil {
		return
	}
	defer removeFolder(work)
	_ = os.Rename(t.folder, filepath.Join(work, "template"))
}

// treeSize proves that a copy is whole.
type treeSize struct {
	files int
	bytes int64
}

func (s treeSize) String() string { return fmt.Sprintf("%d files, %d bytes\n", s.files, s.bytes) }

// copyTree copies the plain files and folders of a tree, giving each to the account.
func copyTree(from, to string, as *account) (treeSize, error) {
	var size treeSize
	var copier fileCopier
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if entry.IsDir() {
			err = os.Mkdir(target, 0o700)
		} else {
			var n int64
			n, err = copier.copy(path, target)
			size.files++
			size.bytes += n
		}
		if err != nil {
			return err
		}
		return as.own(target)
	})
	return size, err
}

// fileCopier copies files and leaves holes for blocks of zeros, which fill most of a new cluster's log.
type fileCopier struct{ block, zeros [32 << 10]byte }

func (c *fileCopier) copy(from, to string) (int64, error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	size, err := c.copyBlocks(out, in)
	return size, errors.Join(err, out.Truncate(size), out.Close())
}

func (c *fileCopier) copyBlocks(out io.WriteSeeker, in io.Reader) (int64, error) {
	var size int64
	for {
		n, err := io.ReadFull(in, c.block[:])
		block := c.block[:n]
		size += int64(n)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return size, err
		}
		var writeErr error
		if bytes.Equal(block, c.zeros[:n]) {
			_, writeErr = out.Seek(int64(n), io.SeekCurrent)
		} else {
			_, writeErr = out.Write(block)
		}
		if writeErr != nil || err != nil {
			return size, writeErr
		}
	}
}
