//go:build unix

package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

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
	if b.cluster, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.ListenFn(b.listen)); err != nil {
		return nil, err
	}
	b.cluster.ControlKey(int16(kmsg.JoinGroup), b.hurry)
	return b, nil
}

// rejoinTimeout is how long the group waits for members to join again. This broker waits that long for those too that were
// killed while they did.
const rejoinTimeout = 3 * time.Second

func (b *fakeBroker) hurry(req kmsg.Request) (kmsg.Response, error, bool) {
	b.cluster.KeepControl()
	req.(*kmsg.JoinGroupRequest).RebalanceTimeoutMillis = int32(rejoinTimeout.Milliseconds())
	return nil, nil, false
}

// fakeBroker does not die, since its transactions would not outlive that: it is away for a while, and connections break.
type fakeBroker struct {
	cluster *kfake.Cluster

	mu    sync.Mutex
	away  bool
	conns []net.Conn
}

func (b *fakeBroker) Address() string { return b.cluster.ListenAddrs()[0] }

func (b *fakeBroker) Kill() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = true
	for _, conn := range b.conns {
		_ = conn.Close()
	}
	b.conns = nil
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
	conn, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	d.broker.mu.Lock()
	defer d.broker.mu.Unlock()
	if d.broker.away {
		_ = conn.Close()
	} else {
		d.broker.conns = append(d.broker.conns, conn)
	}
	return conn, nil
}
