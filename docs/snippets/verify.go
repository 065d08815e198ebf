package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

const tolerance = 5 * time.Minute

// IsGenuine takes X-Service-Timestamp, X-Service-Signature and the raw bytes of the body.
func IsGenuine(secret, timestamp, signature string, body []byte, now time.Time) bool {
	sent, err := time.Parse(time.RFC3339, timestamp)
	if err != nil || now.Sub(sent) > tolerance || sent.Sub(now) > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}
