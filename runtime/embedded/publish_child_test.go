package embedded

import (
	"context"
	"fmt"
	"io"
	"os"
)

// childTopic is the topic that a child publishes to.
const childTopic = "causet.projection-events.v1"

// childPublish publishes a file to a kept broker, says what happened, and lives until its standard input ends.
func childPublish() {
	ctx := context.Background()
	kafka, err := StartKafka(ctx, KafkaConfig{DataDir: os.Getenv("CHILD_DATA"), Topics: map[string]int32{childTopic: 4}})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	done, err := PublishFile(ctx, kafka.Brokers(), childTopic, os.Getenv("CHILD_FILE"), os.Getenv("CHILD_DATA"))
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("published", done.Lines, done.Skipped)
	_, _ = io.Copy(io.Discard, os.Stdin)
	kafka.Stop()
}
