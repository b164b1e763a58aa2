//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
)

// proxy stands between the workers and the database and cuts their connections.
type proxy struct {
	listener net.Listener
	socket   func() string

	mu    sync.Mutex
	pairs map[*pair]bool
	armed atomic.Int64 // how many commits are to lose their answer
	cut   atomic.Int64 // how many did
}

// pair is a connection of a worker with the one to the database.
type pair struct {
	client, server net.Conn
	committing     atomic.Bool // a commit was sent whose answer is to be lost
}

func (p *pair) close() {
	_ = p.client.Close()
	_ = p.server.Close()
}

func startProxy(socket func() string) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: l, socket: socket, pairs: map[*pair]bool{}}
	go p.accept()
	return p, nil
}

// dsn is where the workers connect.
func (p *proxy) dsn() string {
	return fmt.Sprintf("postgres://postgres@%s/postgres?sslmode=disable", p.listener.Addr())
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", p.socket())
		if err != nil {
			_ = client.Close()
			continue
		}
		made := &pair{client: client, server: server}
		p.mu.Lock()
		p.pairs[made] = true
		p.mu.Unlock()
		go p.upstream(made)
		go p.downstream(made)
	}
}

// upstream carries what the worker says. A commit is a message of its own.
func (p *proxy) upstream(c *pair) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := c.client.Read(buffer)
		if bytes.Contains(buffer[:n], []byte("commit\x00")) && p.armed.Add(-1) >= 0 {
			c.committing.Store(true)
		}
		if _, writeErr := c.server.Write(buffer[:n]); err != nil || writeErr != nil {
			c.close()
			return
		}
	}
}

// downstream carries what the database says, but for the answer to a commit that is to be lost: the database has it then.
func (p *proxy) downstream(c *pair) {
	defer func() {
		c.close()
		p.mu.Lock()
		delete(p.pairs, c)
		p.mu.Unlock()
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := c.server.Read(buffer)
		if c.committing.Load() && bytes.Contains(buffer[:n], []byte("COMMIT\x00")) {
			p.cut.Add(1)
			return
		}
		if _, writeErr := c.client.Write(buffer[:n]); err != nil || writeErr != nil {
			return
		}
	}
}

// loseAnswers makes the next n commits lose their answer.
func (p *proxy) loseAnswers(n int64) { p.armed.Store(n) }

// disconnect cuts all connections.
func (p *proxy) disconnect() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.pairs {
		c.close()
	}
}
