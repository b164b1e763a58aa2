package embedded

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// KafkaConfig says how an in-process Kafka broker is started.
type KafkaConfig struct {
	// DataDir keeps topics, records and committed offsets between starts; empty: they live in memory only.
	DataDir string
	// Topics are created unless they exist: name -> number of partitions. Their records never expire. One that exists keeps
	// its partitions.
	Topics map[string]int32
}

// Kafka is a running in-process broker, reachable through loopback only.
type Kafka struct {
	cluster  *kfake.Cluster
	brokers  []string
	lock     *folderLock
	stopOnce sync.Once
}

// StartKafka starts a broker, creates the topics and returns when they can be used. The context bounds the start only.
//
// Errors: ErrInUse (another live process holds DataDir), the context's, or what the broker says.
func StartKafka(ctx context.Context, cfg KafkaConfig) (*Kafka, error) {
	options := []kfake.Opt{kfake.NumBrokers(1), kfake.ClusterID("causetc-embedded")}
	k := &Kafka{}
	if cfg.DataDir != "" {
		dir, err := filepath.Abs(cfg.DataDir)
		if err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
		if k.lock, err = lockFolder(dir, kafkaLock); err != nil {
			return nil, err
		}
		// Synced, since the database is: a cursor there must never be ahead of the log here, even after a power cut.
		options = append(options, kfake.DataDir(filepath.Join(dir, "kafka")), kfake.SyncWrites())
	}
	cluster, err := kfake.NewCluster(options...)
	if err != nil {
		k.lock.release()
		return nil, fmt.Errorf("embedded Kafka: %w", err)
	}
	k.cluster, k.brokers = cluster, cluster.ListenAddrs()
	if err := k.createTopics(ctx, cfg.Topics); err != nil {
		k.Stop()
		return nil, fmt.Errorf("embedded Kafka: %w", err)
	}
	return k, nil
}

// createTopics creates the topics that do not exist.
func (k *Kafka) createTopics(ctx context.Context, topics map[string]int32) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(k.brokers...))
	if err != nil {
		return err
	}
	defer client.Close()
	forever := "-1"
	settings := map[string]*string{"retention.ms": &forever}
	for _, topic := range slices.Sorted(maps.Keys(topics)) {
		_, err := kadm.NewClient(client).CreateTopic(ctx, topics[topic], 1, settings, topic)
		if err != nil && !errors.Is(err, kerr.TopicAlreadyExists) {
			return fmt.Errorf("creating topic %s: %w", topic, err)
		}
	}
	return nil
}

// Brokers are the addresses to bootstrap from.
func (k *Kafka) Brokers() []string { return slices.Clone(k.brokers) }

// Stop stops the broker, writes what it keeps and frees the data folder. Further calls do nothing.
func (k *Kafka) Stop() {
	k.stopOnce.Do(func() {
		k.cluster.Close()
		k.lock.release()
	})
}
