package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/embedded"
)

// services are the brokers and the database.
type services struct {
	brokers  []string
	dsn      string
	kafka    *child
	postgres *embedded.Postgres
	folder   string
	db       *pgx.Conn
}

func startServices(ctx context.Context, brokers, dsn string) (s *services, err error) {
	s = &services{dsn: dsn}
	defer func() {
		if err != nil {
			s.stop()
		}
	}()
	if brokers != "" {
		s.brokers = []string{brokers}
	} else if err := s.startKafka(ctx); err != nil {
		return s, err
	}
	if dsn == "" {
		if err := s.startPostgres(ctx); err != nil {
			return s, err
		}
	}
	s.db, err = pgx.Connect(ctx, s.dsn)
	return s, err
}

// startPostgres starts a server whose data is kept, since only such a one syncs.
func (s *services) startPostgres(ctx context.Context) (err error) {
	if s.folder, err = os.MkdirTemp("", "causetc-throughput-*"); err != nil {
		return err
	}
	if err = os.Chmod(s.folder, 0o755); err != nil {
		return err
	}
	s.postgres, err = embedded.StartPostgres(ctx, embedded.PostgresConfig{DataDir: s.folder})
	if err == nil {
		s.dsn = s.postgres.DSN()
	}
	return err
}

// startKafka starts a broker as a process of its own, so that what it uses is not counted.
func (s *services) startKafka(ctx context.Context) (err error) {
	if s.kafka, err = start(ctx, task{Kind: kafkaTask}); err != nil {
		return err
	}
	return s.kafka.out.Decode(&s.brokers)
}

// serveKafka runs a broker until the context ends, and prints its addresses.
func serveKafka(ctx context.Context) error {
	k, err := embedded.StartKafka(ctx, embedded.KafkaConfig{Topics: map[string]int32{dlqTopic: 1}})
	if err != nil {
		return err
	}
	defer k.Stop()
	if err := json.NewEncoder(os.Stdout).Encode(k.Brokers()); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func (s *services) stop() {
	if s.db != nil {
		_ = s.db.Close(context.Background())
	}
	if s.postgres != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := s.postgres.Stop(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			fmt.Fprintln(os.Stderr, "throughput:", err)
		}
	}
	if s.folder != "" {
		_ = os.RemoveAll(s.folder)
	}
	if s.kafka != nil {
		s.kafka.stop()
		_ = s.kafka.cmd.Wait()
	}
}
