package postgres

import (
	"errors"
	"net/url"
	"strings"
)

// driverPrefixes are the schemes of other drivers' URLs, longest first, that mean a plain Postgres server.
var driverPrefixes = []string{"r2dbc:pool:postgresql://", "r2dbc:pool:postgres://", "r2dbc:postgresql://", "r2dbc:postgres://",
	"r2dbcs:postgresql://", "r2dbcs:postgres://", "jdbc:postgresql://"}

// driverOptions are the options of those URLs that have a meaning here, by their name in lower case. Others tune the
// driver that the URL was written for.
var driverOptions = map[string]string{
	"user": "user", "username": "user", "password": "password", "sslmode": "sslmode", "sslrootcert": "sslrootcert",
	"sslcert": "sslcert", "sslkey": "sslkey", "connect_timeout": "connect_timeout", "applicationname": "application_name",
	"application_name": "application_name", "currentschema": "search_path", "schema": "search_path",
}

// verifyFull is what those drivers mean by ssl=true.
const verifyFull = "verify-full"

// normalizeDSN turns the URL of a JDBC or R2DBC driver into one that pgx reads; anything else stays as it is. The error
// does not repeat the text, which may hold a password.
func normalizeDSN(dsn string) (string, error) {
	for _, prefix := range driverPrefixes {
		if rest, ok := strings.CutPrefix(dsn, prefix); ok {
			return translateURL(prefix, rest)
		}
	}
	return dsn, nil
}

func translateURL(prefix, rest string) (string, error) {
	u, err := url.Parse("postgres://" + rest)
	if err != nil {
		return "", errors.New("the database URL can't be read: it is not of the form " + prefix + "host:port/name")
	}
	options := url.Values{}
	if strings.HasPrefix(prefix, "r2dbcs:") {
		options.Set("sslmode", verifyFull)
	}
	for name, values := range u.Query() {
		name = strings.ToLower(name)
		if known := driverOptions[name]; known != "" {
			options.Set(known, values[0])
		}
		if name == "ssl" && values[0] != "false" && options.Get("sslmode") == "" {
			options.Set("sslmode", verifyFull)
		}
	}
	if mode := options.Get("sslmode"); mode != "" {
		// R2DBC writes VERIFY_FULL.
		options.Set("sslmode", strings.ReplaceAll(strings.ToLower(mode), "_", "-"))
	}
	u.RawQuery = options.Encode()
	return u.String(), nil
}
