"""Client of the Partner Booking Service: typed operations, retries that never book twice, verification of webhooks."""

from . import contract
from .clients import AsyncClient, Client
from .core import Attempt, FeedPage, Page, RateLimit, ResponseInfo
from .errors import ConnectionFailed, PartnerBookingError, TimedOut, UnexpectedAnswer
from .transport import VERSION as __version__
from .webhooks import SignedWebhook, WebhookVerificationError, sign_webhook, verify_webhook

__all__ = [
    "AsyncClient",
    "Attempt",
    "Client",
    "ConnectionFailed",
    "FeedPage",
    "Page",
    "PartnerBookingError",
    "RateLimit",
    "ResponseInfo",
    "SignedWebhook",
    "TimedOut",
    "UnexpectedAnswer",
    "WebhookVerificationError",
    "__version__",
    "contract",
    "sign_webhook",
    "verify_webhook",
]
