import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, call, type Operation, type Takes } from './api.ts';
import { Failure } from './calls.ts';
import { changed, onChange, type Topic } from './changes.ts';
import { setNow, token, visit } from './session.ts';

/** Loading and changing data of pages. */

export type Query<T> = {
  /** The last answer, which stays during a load; undefined: none yet. */
  answer: T | undefined;
  /** Whether the answer was loaded for this page and arguments, not taken from the cache. */
  isCurrent: boolean;
  /** Why the last load failed; null: it succeeded. */
  failure: Failure | null;
  reload: () => void;
};

/** Cached answers of the last pages, so that Back shows them at once. */
const answers = new Map<string, unknown>();
const MAX_KEPT = 60;
let keptFor = -1;

/** Debounce of changes, in milliseconds. */
const DEBOUNCE_MS = 250;

function remember(key: string, answer: unknown): void {
  answers.delete(key);
  answers.set(key, answer);
  if (answers.size > MAX_KEPT) answers.delete(answers.keys().next().value!);
}

/** Drops the answers of other tokens. */
function forgetOthers(): void {
  if (keptFor !== visit.peek()) answers.clear();
  keptFor = visit.peek();
}

/**
 * Loads an operation's response, again when its arguments or one of the topics change. null for `takes`: nothing to
 * load yet.
 */
export function useQuery<Op extends Operation>(
  operation: Op,
  takes: Takes<Op> | null,
  topics: readonly Topic[] = [],
): Query<Answer<Op>> {
  return useLoad(
    takes === null ? null : `${operation} ${JSON.stringify(takes)}`,
    (signal) => call(operation, takes!, { signal }),
    topics,
  );
}

type Listed<Op extends Operation> = Answer<Op> extends { data: (infer Row)[] } ? Row : never;

/** The rows of all pages of a list; null for `takes`: nothing to load yet. */
export function useAll<Op extends Operation>(
  operation: Op,
  takes: Takes<Op> | null,
  topics: readonly Topic[] = [],
): Query<Listed<Op>[]> {
  return useLoad(
    takes === null ? null : `all ${operation} ${JSON.stringify(takes)}`,
    async (signal) => {
      const rows: Listed<Op>[] = [];
      for (let page = 1, totalPages = 1; page <= totalPages; page++) {
        const { query } = takes! as { query?: object };
        const answer = (await call(
          operation,
          { ...takes!, query: { ...query, page, limit: 100 } },
          { signal },
        )) as unknown as { data: Listed<Op>[]; meta: { totalPages: number } };
        rows.push(...answer.data);
        totalPages = answer.meta.totalPages;
      }
      return rows;
    },
    topics,
  );
}

/** Loads with `fetchAnswer`, under the cache key `key`; null: nothing yet. */
export function useLoad<T>(
  key: string | null,
  fetchAnswer: (signal: AbortSignal) => Promise<T>,
  topics: readonly Topic[],
): Query<T> {
  forgetOthers();
  const [, redraw] = useState(0);
  const state = useRef<{
    key: string | null;
    answer: T | undefined;
    /** Whether the answer is that of the arguments, if perhaps an older one. */
    isOwn: boolean;
    isCurrent: boolean;
    failure: Failure | null;
  }>({ key: null, answer: undefined, isOwn: false, isCurrent: false, failure: null });
  const start = useRef<() => void>(() => {});
  const isSignedIn = token.value !== null;
  const visited = visit.value;

  if (key !== null && state.current.key !== key) {
    const known = answers.get(key) as T | undefined;
    // Other arguments: the old answer stays until the new one arrives.
    state.current = {
      key,
      answer: known ?? state.current.answer,
      isOwn: known !== undefined,
      isCurrent: false,
      failure: null,
    };
  }

  useEffect(() => {
    if (key === null || !isSignedIn) return;
    const ended = new AbortController();
    let isLoading = false;
    let isStale = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function load(): Promise<void> {
      isLoading = true;
      isStale = false;
      try {
        const answer = await fetchAnswer(ended.signal);
        if (ended.signal.aborted) return;
        remember(key!, answer);
        state.current = { key, answer, isOwn: true, isCurrent: true, failure: null };
      } catch (error) {
        if (ended.signal.aborted) return;
        const { answer, isOwn } = state.current;
        // Rows of other arguments would look like the answer to these.
        state.current = { ...state.current, answer: isOwn ? answer : undefined, failure: asFailure(error) };
      }
      isLoading = false;
      redraw((count) => count + 1);
      if (isStale) void load();
    }
    const again = (): void => {
      if (isLoading) isStale = true;
      else void load();
    };
    start.current = again;
    void load();
    const stop = onChange(topics, () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        again();
      }, DEBOUNCE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
      ended.abort();
    };
  }, [key, isSignedIn, visited]);

  return {
    answer: state.current.answer,
    isCurrent: state.current.isCurrent,
    failure: state.current.failure,
    reload: () => start.current(),
  };
}

/** Thrown by a change that its reader does not want any more: nothing was saved, and nothing failed. */
export const LEFT = new Error('left');

/**
 * Loads who is signed in, and the service's time; again with each token and change of the topic, and without a failure,
 * which the page's own requests report.
 */
export function useIdentity<Who extends { now: string }>(
  load: (options: { signal: AbortSignal }) => Promise<{ data: Who }>,
  topic: Topic,
  take: (who: Who) => void,
): void {
  const bearer = token.value;
  const visited = visit.value;
  useEffect(() => {
    if (bearer === null) return;
    const ended = new AbortController();
    const learn = (): void => {
      load({ signal: ended.signal })
        .then(({ data }) => {
          // The answer for another token is obsolete.
          if (ended.signal.aborted) return;
          take(data);
          setNow(Date.parse(data.now));
        })
        .catch(() => {});
    };
    learn();
    const stop = onChange([topic], learn);
    return () => {
      stop();
      ended.abort();
    };
  }, [bearer, visited]);
}

export type Action = {
  /** Resolves to whether it succeeded. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
  busy: boolean;
  failure: Failure | null;
  clear: () => void;
};

/** Runs a change, and reloads the topics after it. */
export function useAction(topics: readonly Topic[]): Action {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const visited = visit.value;
  // A new token clears the refusal of the last one.
  useEffect(() => setFailure((last) => (last?.status === 401 ? null : last)), [visited]);
  return {
    busy,
    failure,
    clear: () => setFailure(null),
    async run(work) {
      setBusy(true);
      setFailure(null);
      try {
        await work();
        changed([...topics, 'audit']);
        return true;
      } catch (error) {
        if (error === LEFT) return false;
        const failed = asFailure(error);
        setFailure(failed);
        // A conflict: reloads the current state.
        if (failed.status === 409) changed(topics);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** A validation failure of the console; a message starts with its field's name, as the service's do. */
export const invalid = (...message: string[]): Failure =>
  new Failure(400, 'VALIDATION_ERROR', message.filter((one) => !/^[\w.]+: /.test(one)).join(' '), {
    details: { message },
    isWorded: true,
  });

export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(0, 'INTERNAL_ERROR', error instanceof Error ? error.message : String(error));
}
