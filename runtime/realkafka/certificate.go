package realkafka

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

// Certificate is a self-signed certificate for the loopback address, as PEM.
type Certificate struct {
	Chain, Key []byte
}

// NewCertificate makes a certificate that is valid for a day. It is its own authority.
func NewCertificate() (Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Certificate{}, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA: true, BasicConstraintsValid: true,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return Certificate{}, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return Certificate{}, err
	}
	var c Certificate
	c.Chain, err = encodePEM("CERTIFICATE", der)
	if err != nil {
		return c, err
	}
	c.Key, err = encodePEM("PRIVATE KEY", private)
	return c, err
}

func encodePEM(kind string, der []byte) ([]byte, error) {
	var b bytes.Buffer
	err := pem.Encode(&b, &pem.Block{Type: kind, Bytes: der})
	return b.Bytes(), err
}
