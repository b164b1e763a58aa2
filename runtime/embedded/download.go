package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

// fetchedVersion is the Postgres that is fetched where a machine has none.
const fetchedVersion = embeddedpostgres.V18

// fetchedMajor is the major version of fetchedVersion.
const fetchedMajor = 18

// fetchBinaries takes the server binaries of the cache, and fetches them into it once if need be.
func (s *starter) fetchBinaries(ctx context.Context, clusterMajor int) (binaries, error) {
	if clusterMajor != 0 && clusterMajor != fetchedMajor {
		return binaries{}, fmt.Errorf("%w: the data was made by Postgres %d; install that version or name its folder in %s",
			ErrNoPostgres, clusterMajor, BinDirVariable)
	}
	if s.cache == "" {
		return binaries{}, fmt.Errorf("%w, and without a home folder there is no cache to fetch one into", ErrNoPostgres)
	}
	folder := filepath.Join(s.cache, fmt.Sprintf("postgres-%s-%s-%s", fetchedVersion, runtime.GOOS, runtime.GOARCH))
	dir := filepath.Join(folder, "bin")
	if !hasPrograms(dir) {
		if s.cfg.NoDownload {
			return binaries{}, fmt.Errorf("%w on PATH or in the usual folders, and fetching one is switched off: install Postgres or name the folder of its binaries in %s",
				ErrNoPostgres, BinDirVariable)
		}
		if err := s.fetchInto(ctx, folder); err != nil {
			if ctx.Err() != nil {
				return binaries{}, ctx.Err()
			}
			return binaries{}, fmt.Errorf("%w, and fetching Postgres %s for %s/%s failed: %s: install Postgres or name the folder of its binaries in %s",
				ErrNoPostgres, fetchedVersion, runtime.GOOS, runtime.GOARCH, oneLine(err), BinDirVariable)
		}
	}
	return tryBinaries(ctx, dir, s.account, clusterMajor)
}

// fetchInto fetches the binaries beside their folder and then renames them into place; one process at a time does it.
func (s *starter) fetchInto(ctx context.Context, folder string) error {
	lock, err := awaitFolder(ctx, s.cache, cacheLock)
	if err != nil {
		return err
	}
	defer lock.release()
	if hasPrograms(filepath.Join(folder, "bin")) {
		return nil
	}
	s.notice(fmt.Sprintf("no Postgres found: fetching Postgres %s once into %s", fetchedVersion, folder))
	work, err := s.temporary(s.cache, "fetch-")
	if err != nil {
		return err
	}
	defer removeFolder(work)
	unpacked := filepath.Join(work, "unpacked")
	if err := s.unpack(ctx, work, unpacked); err != nil {
		return err
	}
	if err := os.Chmod(unpacked, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.Rename(unpacked, folder)
}

// unpack has the library fetch, verify and unpack the binaries. The library can do that only on the way to starting a
// server, which must not happen (it would outlive us, and root may not). So the data folder is one that can't be made,
// below a plain file: the library gives up right there, after it has unpacked everything and made its runtime folder.
func (s *starter) unpack(ctx context.Context, work, unpacked string) error {
	reached := filepath.Join(work, "reached")
	var log bytes.Buffer
	config := embeddedpostgres.DefaultConfig().
		Version(fetchedVersion).Port(0).Logger(&log).
		CachePath(filepath.Join(work, "archive")).BinariesPath(unpacked).
		RuntimePath(reached).DataPath(filepath.Join(s.cache, cacheLock, "data"))
	if s.repository != "" {
		config = config.BinaryRepositoryURL(s.repository)
	}
	ended := make(chan error, 1)
	go func() {
		server := embeddedpostgres.NewDatabase(config)
		err := server.Start()
		if err == nil {
			err = errors.Join(errors.New("the server started unasked"), server.Stop())
		}
		if ctx.Err() != nil {
			removeFolder(work) // the library went on after that was removed
		}
		ended <- err
	}()
	select {
	case <-ctx.Done(): // the library can't be interrupted
		return ctx.Err()
	case err := <-ended:
		if _, statErr := os.Stat(reached); statErr == nil && hasPrograms(filepath.Join(unpacked, "bin")) {
			return nil
		}
		return err
	}
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
