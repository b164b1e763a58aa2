package main

import (
	"context"
	"encoding/binary"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/causetc/causetc/runtime/realkafka"
)

// broker is one that may be away for a while: killed, and started again with its data and at the same address.
type broker interface {
	Address() string
	Kill()
	Launch(ctx context.Context) error
}

// startBroker starts a real one, or one in this process.
func startBroker(ctx context.Context, dir string, real bool) (broker, error) {
	if real {
		dir = filepath.Join(dir, "kafka")
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, err
		}
		return realkafka.Start(ctx, dir)
	}
	b := &fakeBroker{}
	var err error
	b.cluster, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.ListenFn(b.listen))
	return b, err
}

// fakeBroker does not die, since its transactions would not outlive that: it is away for a while, and connections break. Those
// on which workers join their group do not, since it waits for the dead ends of such connections for a minute.
type fakeBroker struct {
	cluster *kfake.Cluster

	mu    sync.Mutex
	away  bool
	conns []*conn
}

func (b *fakeBroker) Address() string { return b.cluster.ListenAddrs()[0] }

func (b *fakeBroker) Kill() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = true
	b.conns = slices.DeleteFunc(b.conns, func(c *conn) bool {
		if c.joins.Load() {
			return false
		}
		_ = c.Close()
		return true
	})
}

func (b *fakeBroker) Launch(context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = false
	return nil
}

func (b *fakeBroker) listen(network, address string) (net.Listener, error) {
	l, err := net.Listen(network, address)
	return &door{l, b}, err
}

// door is a listener that hangs up while the broker is away.
type door struct {
	net.Listener
	broker *fakeBroker
}

func (d *door) Accept() (net.Conn, error) {
	accepted, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted}
	d.broker.mu.Lock()
	defer d.broker.mu.Unlock()
	if d.broker.away {
		_ = c.Close()
	} else {
		d.broker.conns = append(d.broker.conns, c)
	}
	return c, nil
}

// conn is a client's connection; it knows whether that has joined a group on it.
type conn struct {
	net.Conn
	joins atomic.Bool
	head  []byte // of the request that is being read: its size and kind
	left  int    // bytes of the request behind that
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.watch(b[:n])
	return n, err
}

// headSize is how many bytes the size and the kind of a request have.
const headSize = 6

func (c *conn) watch(b []byte) {
	for len(b) > 0 {
		if c.left > 0 {
			skip := min(c.left, len(b))
			b, c.left = b[skip:], c.left-skip
			continue
		}
		take := min(headSize-len(c.head), len(b))
		c.head, b = append(c.head, b[:take]...), b[take:]
		if len(c.head) < headSize {
			return
		}
		c.left = int(binary.BigEndian.Uint32(c.head)) - 2
		if key := kmsg.Key(binary.BigEndian.Uint16(c.head[4:])); key == kmsg.JoinGroup || key == kmsg.SyncGroup {
			c.joins.Store(true)
		}
		c.head = c.head[:0]
	}
}
