/** What every method takes beside its input. */
export type CallOptions = {
  /** Ends the call, its pauses between attempts included; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, the answer's body included; the client's own unless given. */
  timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated at most; the client's own unless given. */
  retries?: number | undefined;
  /** Sent as `x-request-id` with every attempt of the call; a new UUID unless given. */
  requestId?: string | undefined;
  /** Another account's key, for this call; the client's own unless given. */
  apiKey?: string | undefined;
  /** More headers, such as `x-partner-domain`; they win over the client's own. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/** How the event feed is followed. */
export type FollowOptions = CallOptions & {
  /** Milliseconds between two looks at the end of the feed; 5,000 unless given. */
  pollMs?: number | undefined;
  /**
   * Called with the cursor behind a page when all of its events have been worked on, that is when the loop asks for
   * the next one. Store it, and pass it as `after` to go on there after a restart.
   */
  onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
};
