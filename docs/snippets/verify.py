import hashlib
import hmac
from datetime import datetime, timedelta, timezone

TOLERANCE = timedelta(minutes=5)


def is_genuine(secret: str, timestamp: str, signature: str, body: bytes, now: datetime | None = None) -> bool:
    """Takes X-Service-Timestamp, X-Service-Signature and the raw bytes of the body."""
    try:
        sent = datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
        age = abs((now or datetime.now(timezone.utc)) - sent)
    except (ValueError, TypeError):  # not a time, or one without an offset
        return False
    if age > TOLERANCE:
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"sha256={digest}".encode(), signature.encode())
