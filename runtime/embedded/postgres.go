// Package embedded runs the services that causetc needs on a machine that has none: a private Postgres server and an
// in-process Kafka broker, and publishes files of events to a topic. Nothing that it starts outlives the program, however that
// ends.
package embedded

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// PostgresConfig says how a private Postgres server is started. The zero value starts one that leaves nothing behind.
type PostgresConfig struct {
	// DataDir keeps the data between starts; empty: a temporary folder that Stop, or the program's death, removes. StartKafka
	// and PublishFile may use the same folder.
	DataDir string
	// BinDir holds the server's programs postgres and initdb; empty: the variable CAUSETC_POSTGRES_BIN, then PATH, then the
	// usual folders, then a fetched copy.
	BinDir string
	// CacheDir keeps fetched programs and a prepared empty cluster; empty: a folder causetc in the user's cache.
	CacheDir string
	// NoDownload forbids to fetch server programs where the machine has none.
	NoDownload bool
	// Notice is told, in one line, when programs are being fetched; may be nil.
	Notice func(string)

	places     *places // where programs are looked for; nil: the usual ones
	repository string  // base URL of the Maven repository; empty: Maven Central
}

// Postgres is a running private server.
type Postgres struct {
	starter  *starter
	stopOnce sync.Once
	stopErr  error
}

// starter is what a start gathers, and a stop gives back.
type starter struct {
	cfg        PostgresConfig
	places     places
	repository string
	cache      string // "" if there is none
	notice     func(string)

	lock     *folderLock
	janitor  *janitor
	account  *account
	binaries binaries
	run      string   // the private folder of this start: socket, log, and the cluster unless it is kept
	cluster  string   // the data folder proper
	copied   bool     // the cluster is a copy of the template
	log      *os.File // what the server's programs say
	server   *process
	dsn      string
}

// StartPostgres starts a private server and returns when it takes connections. The context bounds the start only; when it ends
// early everything is cleaned up. The program must call RunJanitorIfAsked first thing in main.
//
// Errors: ErrInUse (another live process holds DataDir), ErrNoPostgres, *UnreachableError, ErrNoJanitor, the context's, or
// one with the server's own words.
func StartPostgres(ctx context.Context, cfg PostgresConfig) (*Postgres, error) {
	s := newStarter(cfg)
	if err := s.start(ctx); err != nil {
		// The caller waits, and the context may have ended: stop without patience.
		hurry, cancel := context.WithCancel(context.Background())
		cancel()
		return nil, errors.Join(err, s.stop(hurry))
	}
	return &Postgres{starter: s}, nil
}

// DSN is the connection URL of the superuser; it holds a password where the server listens on TCP.
func (p *Postgres) DSN() string { return p.starter.dsn }

// Stop stops the server, removes its temporary folders and frees the data folder. When the context ends first the server is
// stopped the hard way. Further calls return what the first one did.
func (p *Postgres) Stop(ctx context.Context) error {
	p.stopOnce.Do(func() { p.stopErr = p.starter.stop(ctx) })
	return p.stopErr
}

func newStarter(cfg PostgresConfig) *starter {
	s := &starter{cfg: cfg, notice: cfg.Notice, repository: cfg.repository}
	if s.notice == nil {
		s.notice = func(string) {}
	}
	s.places = usualPlaces()
	if cfg.places != nil {
		s.places = *cfg.places
	}
	s.cache = cfg.CacheDir
	if s.cache == "" {
		s.cache = defaultCache()
	}
	return s
}

// defaultCache is a folder in the user's cache. Root's lies where the account that the server runs as can get at it.
func defaultCache() string {
	if os.Geteuid() == 0 {
		if runtime.GOOS == "darwin" {
			return "/Library/Caches/causetc"
		}
		return "/var/cache/causetc"
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "causetc")
}

func (s *starter) kept() bool { return s.cfg.DataDir != "" }

// start takes the steps of a start. Whatever it returns, stop gives everything back.
func (s *starter) start(ctx context.Context) error {
	if err := s.claimFolders(ctx); err != nil {
		return err
	}
	major, err := clusterMajor(s.cluster)
	if err != nil {
		return err
	}
	if s.binaries, err = s.findBinaries(ctx, major); err != nil {
		return err
	}
	if err := s.makeRunFolder(ctx); err != nil {
		return err
	}
	if s.kept() {
		if err := checkReach(ctx, s.cfg.DataDir, s.binaries, s.account); err != nil {
			return err
		}
		if err := s.keptCluster(ctx); err != nil {
			return err
		}
		return s.launch(ctx)
	}
	return s.startPrivate(ctx)
}

// claimFolders locks the data folder, and starts the janitor before there is anything to clean up.
func (s *starter) claimFolders(ctx context.Context) (err error) {
	if s.kept() {
		if s.cfg.DataDir, err = filepath.Abs(s.cfg.DataDir); err != nil {
			return fmt.Errorf("data folder: %w", err)
		}
		s.cluster = filepath.Join(s.cfg.DataDir, "pgdata")
		if s.lock, err = lockFolder(s.cfg.DataDir, postgresLock); err != nil {
			return err
		}
	}
	if s.account, err = serverAccount(s.cluster); err != nil {
		return err
	}
	s.janitor, err = startJanitor(ctx, s.cfg.DataDir)
	return err
}

// startPrivate starts a server on a new cluster. Should a copy of the template not start, one is made afresh.
func (s *starter) startPrivate(ctx context.Context) error {
	s.cluster = filepath.Join(s.run, "data")
	if err := s.privateCluster(ctx, true); err != nil {
		return err
	}
	err := s.launch(ctx)
	if err == nil || !s.copied || ctx.Err() != nil {
		return err
	}
	if stopErr := s.stopStarted(ctx); stopErr != nil {
		return errors.Join(err, stopErr)
	}
	removeFolder(s.cluster)
	if err := s.privateCluster(ctx, false); err != nil {
		return err
	}
	return s.launch(ctx)
}

// makeRunFolder makes the private folder of this start where the account can reach it and the socket's name stays short.
func (s *starter) makeRunFolder(ctx context.Context) error {
	roots := []string{os.TempDir()}
	if !tcpOnly {
		roots = append(roots, "/tmp")
	}
	var refused error
	for _, root := range roots {
		if len(root)+len("/causetc-pg-0123456789abcdef/.s.PGSQL.5432") > longestSocket && !tcpOnly {
			refused = errors.Join(refused, fmt.Errorf("%s is too long for the path of a socket", root))
			continue
		}
		if err := checkReach(ctx, root, s.binaries, s.account); err != nil {
			refused = errors.Join(refused, err)
			continue
		}
		run, err := s.temporary(root, "causetc-pg-")
		if err != nil {
			refused = errors.Join(refused, err)
			continue
		}
		return s.useRunFolder(run)
	}
	return fmt.Errorf("no folder for temporary files: %w", refused)
}

func (s *starter) useRunFolder(run string) (err error) {
	s.run = run
	s.log, err = os.OpenFile(filepath.Join(run, "server.log"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("temporary folder: %w", err)
	}
	return s.account.own(run)
}

// temporary makes a new folder of a name that nobody can guess. The janitor knows it before it exists.
func (s *starter) temporary(parent, prefix string) (string, error) {
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", fmt.Errorf("temporary folder: %w", err)
	}
	folder := filepath.Join(parent, prefix+strings.ToLower(rand.Text()[:16]))
	if err := s.janitor.tell(order{Remove: folder}); err != nil {
		return "", err
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", fmt.Errorf("temporary folder: %w", err)
	}
	return folder, nil
}

// stop gives back what a start, finished or not, has taken.
func (s *starter) stop(ctx context.Context) error {
	err := s.stopStarted(ctx)
	if s.log != nil {
		_ = s.log.Close()
	}
	if s.run != "" {
		if removeErr := os.RemoveAll(s.run); removeErr != nil {
			err = errors.Join(err, fmt.Errorf("temporary folder: %w", removeErr))
		}
	}
	if s.janitor != nil {
		s.janitor.dismiss(err == nil)
	}
	s.lock.release()
	return err
}
