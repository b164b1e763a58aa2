package realkafka

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// version is the release of Apache Kafka that is started.
const version = "4.3.1"

// pom names what Maven is to fetch.
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>causetc</groupId><artifactId>real-kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>` + version + `</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>` + version + `</version></dependency>
  </dependencies>
</project>
`

// ErrUnavailable says that the machine lacks Java or Maven, or that Maven can't fetch Kafka here.
var ErrUnavailable = errors.New("a real Kafka needs java and mvn on the PATH, and a repository that Maven reaches")

// jars returns the folder of the broker's programs; Maven fetches them once into the user's cache.
func jars(ctx context.Context) (string, error) {
	for _, program := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(program); err != nil {
			return "", fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "causetc", "kafka-"+version)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "fetching-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := os.WriteFile(filepath.Join(work, "pom.xml"), []byte(pom), 0o644); err != nil {
		return "", err
	}
	mvn := exec.CommandContext(ctx, "mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib")
	mvn.Dir = work
	if out, err := mvn.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: fetching it: %w: %s", ErrUnavailable, err, out)
	}
	err = os.Rename(filepath.Join(work, "lib"), dir)
	if _, statErr := os.Stat(dir); statErr == nil {
		return dir, nil // also where another process was faster
	}
	return "", err
}
