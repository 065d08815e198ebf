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
  /** More headers, such as `x-partner-domain`. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/** How an event feed is gone through. */
export type FollowOptions = CallOptions & {
  /** At the end of the feed wait for more instead of ending. Abort `signal`, or leave the loop, to stop. */
  follow?: boolean | undefined;
  /** Milliseconds between two looks at the end of the feed; 5,000 unless given. */
  pollMs?: number | undefined;
  /**
   * Called with the cursor behind a page when all of its events have been worked on, that is when the loop asks for
   * the next one. Store it, and pass it as `after` to go on there after a restart.
   */
  onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
};
