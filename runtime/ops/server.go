package ops

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Server answers /healthz, /readyz and /metrics.
type Server struct {
	http     *http.Server
	listener net.Listener
}

// ServerConfig says how a server is started.
type ServerConfig struct {
	Port  int  // on all interfaces
	Pprof bool // answer /debug/pprof/ too
	Log   *slog.Logger
}

// The bounds of the server's requests.
const (
	headerTimeout = 10 * time.Second
	closeTimeout  = 2 * time.Second
)

// Start serves until Close. The error says that the port can't be had.
func (m *Monitor) Start(ctx context.Context, conf ServerConfig) (*Server, error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", ":"+strconv.Itoa(conf.Port))
	if err != nil {
		return nil, err
	}
	s := &Server{listener: listener, http: &http.Server{Handler: m.Handler(conf.Pprof), ReadHeaderTimeout: headerTimeout}}
	go func() {
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			conf.Log.Error("the server of health and metrics has ended", "error", err.Error())
		}
	}()
	return s, nil
}

// Close ends the server.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
}

// Handler answers /healthz, /readyz and /metrics, and with profiles /debug/pprof/, but for the command line, which may hold
// a password.
func (m *Monitor) Handler(profiles bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, "the worker is stuck in: ", m.Stuck())
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, "", m.Unready())
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.metrics.registry, promhttp.HandlerOpts{}))
	if profiles {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// answer is 200 where nothing is wrong, else 503 with what is, a line each.
func answer(w http.ResponseWriter, prefix string, wrong []string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if len(wrong) == 0 {
		_, _ = fmt.Fprintln(w, "ok")
		return
	}
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = fmt.Fprintln(w, prefix+strings.Join(wrong, "\n"+prefix))
}
