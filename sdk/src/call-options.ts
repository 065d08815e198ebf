/** Options of every method beside its input. */
export type CallOptions = {
  /** Aborts the call, its pauses between attempts included; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Time-out of one attempt in milliseconds, the response's body included; default: the client's. */
  timeoutMs?: number | undefined;
  /** The most retries of a failed attempt; default: the client's. */
  retries?: number | undefined;
  /** The longest `Retry-After` of a 429 that is waited for, in milliseconds; default: the client's. */
  rateLimitWaitMs?: number | undefined;
  /** Sent as `x-request-id` with every attempt of the call; default: a new UUID. */
  requestId?: string | undefined;
  /** Another account's key for this call; default: the client's. */
  apiKey?: string | undefined;
  /** Additional headers, such as `x-partner-domain`; they override the client's. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/** Options of a call whose response is only wanted if it has changed. */
export type ConditionalOptions = CallOptions & {
  /** The header `ETag` of an earlier response. While that one is current, the call resolves to null (status 304). */
  ifNoneMatch: string;
};

/** Options of following the event feed, which waits up to two minutes for the rate limit by default. */
export type FollowOptions = CallOptions & {
  /** Milliseconds between two polls at the end of the feed; default: 5,000. */
  pollMs?: number | undefined;
  /**
   * Called with the cursor of a page when all of its events were processed, that is when the loop asks for the next
   * one. Store it, and pass it as `after` to continue there after a restart.
   */
  onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
};
