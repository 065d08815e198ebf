import type { Instant } from '../base/clock.ts';
import { startStopwatch } from './stopwatch.ts';
import type { VersionWatch } from './versions.ts';

/** The minimum between two reads of the change counter because of unknown credentials (milliseconds). */
const REFRESH_INTERVAL = 50;

export type CredentialCache<T> = {
  /** The record of the credential with this SHA-256 (hex), or null: unknown, or not valid any more. */
  find(hash: string, now: Instant, isValid: (found: T) => boolean): T | null | Promise<T | null>;
};

/** Credentials at one version of the change counter. */
type Cache<T> = {
  version: number | null;
  /** Fingerprints of all credentials that are valid at `from` or later: others cost no query. */
  known: { from: Instant; hashes: Promise<ReadonlySet<string>> } | null;
  found: Map<string, T | null>;
};

/** The first bytes of a hash in hex, as long as those in the lists. */
function fingerprint(hash: string): string {
  return hash.slice(0, 16);
}

/**
 * Caches credentials. Everything is dropped when the change counter `access` changes, and nothing is used while the
 * counter cannot be read (versions.ts). `list` returns the fingerprints of all that are valid at that time or later,
 * concatenated; `load` reads one.
 */
export function createCredentialCache<T>(
  versions: VersionWatch,
  list: (now: Instant) => Promise<Buffer>,
  load: (hash: string) => Promise<T | null>,
  maxCached: number,
): CredentialCache<T> {
  let cache: Cache<T> = { version: null, known: null, found: new Map() };
  let refreshing: Promise<void> | null = null;
  let sinceRefresh: (() => number) | null = null;

  function currentCache(): Cache<T> {
    const version = versions.current('access');
    if (version === null || version !== cache.version) cache = { version, known: null, found: new Map() };
    return cache;
  }

  /** Into the cache of the version that was current when the query started: a newer version has a new one. */
  async function lookUp(target: Cache<T>, hash: string, now: Instant): Promise<T | null> {
    const cached = target.found.get(hash);
    if (cached !== undefined) return cached;
    if (target.version !== null && !(await listOf(target, now)).has(fingerprint(hash))) return null;
    const found = await load(hash);
    if (target.found.size >= maxCached) target.found.clear();
    target.found.set(hash, found);
    return found;
  }

  function listOf(target: Cache<T>, now: Instant): Promise<ReadonlySet<string>> {
    // A clock that was set back makes credentials valid again that the list lacks.
    if (target.known !== null && target.known.from <= now) return target.known.hashes;
    const hashes = list(now).then(
      (bytes) => new Set(bytes.toString('hex').match(/.{16}/g)),
      (error) => {
        // The next call tries again.
        if (target.known?.hashes === hashes) target.known = null;
        throw error;
      },
    );
    target.known = { from: now, hashes };
    return hashes;
  }

  /** Reads the counter, shared by all callers within REFRESH_INTERVAL: a credential may be new. */
  function refresh(): Promise<void> {
    if (sinceRefresh !== null && sinceRefresh() < REFRESH_INTERVAL) return Promise.resolve();
    refreshing ??= versions.refresh().finally(() => {
      sinceRefresh = startStopwatch();
      refreshing = null;
    });
    return refreshing;
  }

  /** One path for malformed, unknown, expired, revoked and suspended, so that the duration reveals none. */
  async function look(hash: string, now: Instant, isValid: (found: T) => boolean): Promise<T | null> {
    const first = currentCache();
    const found = await lookUp(first, hash, now);
    if (found !== null && isValid(found)) return found;
    await refresh();
    const second = currentCache();
    const foundNow = second === first ? null : await lookUp(second, hash, now);
    return foundNow !== null && isValid(foundNow) ? foundNow : null;
  }

  return {
    find(hash, now, isValid) {
      const cached = currentCache().found.get(hash);
      return cached && isValid(cached) ? cached : look(hash, now, isValid);
    },
  };
}
