import type pg from 'pg';
import type { Db, Queryable, Statement } from '../db/connection.ts';
import { noteServer, type Position, type Replayed, readPosition, replayedOf } from '../db/positions.ts';
import { within } from '../db/within.ts';
import { gatherLookups } from './gather.ts';
import type { WriteMarks } from './write-marks.ts';

/**
 * Reads that may come from a replica (DATABASE_READ_URL), docs/decisions/read-replica.md. A read goes there when the
 * replica has replayed the primary's log up to
 * - a position of at most MAX_STALE ago, whoever wrote it, and
 * - a position after the last write of the key that asks.
 * The replica says how far it is in the round trip of the read itself, before it. Everything else goes to the primary.
 */
export type Reads = {
  /**
   * The work on the replica if it may be, else on the primary. When the replica turns out not to be where it must be, or
   * fails, the work is done again on the primary: it must change nothing.
   */
  read<T>(key: string, work: (db: Queryable, isReplica: boolean) => Promise<T>): Promise<T>;
  /** Before a write of the key; resolves when others know. */
  begin(key: string): { mark: string; known: void | Promise<void> };
  /** After it. */
  end(key: string, mark: string): void;
  /** null: there is none. */
  state(): ReplicaState | null;
  /** Seconds by which the replica is behind; null when that is not known. */
  lag(): number | null;
  close(): Promise<void>;
};

/**
 * `behind`: further than MAX_STALE, or not at all on the primary's history. `promoted`: it takes writes, so it is no
 * replica any more.
 */
export type ReplicaState = 'in step' | 'behind' | 'away' | 'promoted';

/** Why a read went where it did; a label of a metric. */
export type Outcome = 'replica' | 'behind' | 'away' | 'promoted' | 'unknown' | 'failed';

/** Milliseconds. */
export const MAX_STALE = 1_000;
/** How often the primary and the replica are asked where they are. */
const SAMPLE_INTERVAL = 250;
const POLL_INTERVAL = 100;
/** The replica has so long for an answer, and a read on it. */
const ANSWER_WITHIN = 500;
const READ_WITHIN = 2_000;
const RETRY_AFTER = 250;
const LOG_INTERVAL = 60_000;
const MAX_KEYS = 10_000;

export type ReadsParts = {
  primary: Db;
  replica: Db;
  marks: WriteMarks;
  /** Unique among processes; begins their marks. */
  name: string;
  onState(state: ReplicaState, cause: Error | null): void;
  onRead(outcome: Outcome): void;
  onError(error: Error): void;
  /** Milliseconds of a clock that is never set. */
  now?: () => number;
};

/** The replica is not where the read needs it. */
class NotThereError extends Error {
  override readonly name = 'NotThereError';
}

/** What a read on a replica throws that can only be answered by the primary. */
export class AskPrimaryError extends Error {
  override readonly name = 'AskPrimaryError';
}

/** All reads go to the primary, and writes need no mark. */
export function primaryOnly(primary: Db): Reads {
  return {
    read: (_key, work) => work(primary, false),
    begin: () => ({ mark: '', known: undefined }),
    end() {},
    state: () => null,
    lag: () => null,
    async close() {},
  };
}

/**
 * Watches the primary and the replica from now on, until `close`, which closes the replica too and the primary not. `read`
 * throws what the work throws on the primary; what goes wrong on the replica is told to `onError` alone. In its first second
 * all is read from the primary.
 */
export function createReads({
  primary,
  replica,
  marks,
  name,
  onState,
  onRead,
  onError,
  now = () => performance.now(),
}: ReadsParts): Reads {
  /** Where the primary was, oldest first; asked for at these times. */
  let samples: { at: number; position: Position }[] = [];
  let noted: number | null = null;
  /** What the replica said last, of which server, and when it was asked. */
  let replayed: (Replayed & { server: number; at: number }) | null = null;
  let state: ReplicaState = 'away';
  let toldAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  const startedAt = now();
  const pauses = new Set<() => void>();
  /** Where the primary was after the last write of the key. */
  const positions = new Map<string, { version: string; position: Position }>();
  let lastMark = 0;

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        pauses.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      pauses.add(done);
    });
  }

  /** Where the primary is now; questions at the same time share a statement, none is answered by one that began before. */
  const askPrimary = gatherLookups<null, Position>({
    one: () => readPosition(primary),
    many: async (keys) => {
      const position = await readPosition(primary);
      return keys.map(() => position);
    },
    maxKeys: Number.POSITIVE_INFINITY,
    maxRunning: 2,
  });
  const askReplica = gatherLookups<number, Replayed>({
    one: async (server) => heard(server, (await replica.rows<Replayed>(replayedOf(server)))[0]!),
    many: async (servers) => {
      // Of the newest server: who asks for another is answered that the replica does not follow it.
      const server = Math.max(...servers);
      const answer = heard(server, (await replica.rows<Replayed>(replayedOf(server)))[0]!);
      return servers.map((one) => (one === server ? answer : { ...answer, follows: false }));
    },
    maxKeys: Number.POSITIVE_INFINITY,
    maxRunning: 2,
  });

  function heard(server: number, answer: Replayed, at = now()): Replayed {
    replayed = { ...answer, server, at };
    return answer;
  }

  function has(answer: Replayed, position: Position): boolean {
    return answer.standby && answer.follows && answer.lsn !== null && answer.lsn >= position.lsn;
  }

  /** Where the replica must be, whoever asks; null: not known. */
  function fresh(): Position | null {
    const since = now() - MAX_STALE;
    const newest = samples.at(-1);
    const oldest = samples.find(({ at }) => at >= since);
    if (newest === undefined || oldest === undefined) return null;
    // Its history has only just begun to be known: all of it.
    return oldest.position.server === newest.position.server ? oldest.position : newest.position;
  }

  async function sample(): Promise<void> {
    const at = now();
    const position = await readPosition(primary);
    if (position.server !== noted) {
      await noteServer(primary, position);
      noted = position.server;
      samples = [];
      return sample();
    }
    samples.push({ at, position });
    while (samples.length > 1 && samples[1]!.at < at - 2 * MAX_STALE) samples.shift();
  }

  async function watchPrimary(): Promise<void> {
    while (!closed) {
      // The service watches its primary itself: without new samples nothing is read from the replica.
      await sample().catch(() => {});
      await pause(SAMPLE_INTERVAL);
    }
  }

  async function watchReplica(): Promise<void> {
    let client: pg.Client | null = null;
    while (!closed) {
      const at = now();
      try {
        client ??= await replica.open!();
        const { text, values } = replayedOf(noted ?? 0);
        const answer = await within(ANSWER_WITHIN, client.query<Replayed>({ text, values: [...values!] }));
        if (answer === null) throw new Error('the replica does not answer');
        heard(noted ?? 0, answer.rows[0]!, at);
        if (state === 'away') replica.reopen();
        const required = fresh();
        const next = !answer.rows[0]!.standby
          ? 'promoted'
          : required !== null && has(answer.rows[0]!, required)
            ? 'in step'
            : 'behind';
        enter(next, null);
        // Another server may answer to a new connection.
        if (next === 'promoted') {
          replica.discard(performance.now());
          client = null;
        }
        await pause(POLL_INTERVAL);
      } catch (error) {
        if (client !== null) replica.breakOff(client);
        client = null;
        if (closed) break;
        // What is being read there fails now, and is read from the primary.
        replica.shut();
        replica.discard(performance.now());
        enter('away', error as Error);
        await pause(RETRY_AFTER);
      }
    }
    if (client !== null) replica.breakOff(client);
  }

  function enter(next: ReplicaState, cause: Error | null): void {
    const isNew = state !== next || toldAt === Number.NEGATIVE_INFINITY;
    state = next;
    if (!isNew && (next !== 'away' || now() - toldAt < LOG_INTERVAL)) return;
    toldAt = now();
    onState(next, cause);
  }

  /** Where the replica must be for the key, or why the read goes to the primary. */
  async function required(key: string): Promise<Position | Exclude<Outcome, 'replica'>> {
    if (state !== 'in step') return state;
    // What this process's predecessor had written is not known here.
    if (now() - startedAt < MAX_STALE) return 'unknown';
    const everybody = fresh();
    if (everybody === null) return 'unknown';
    const wrote = await marks.state(key);
    if (wrote === null) return 'unknown';
    const { open, version } = wrote;
    // One of them may have ended and been answered: what was answered is committed by now.
    if (open) return later(await askPrimary(null), everybody);
    if (version === null) return everybody;
    const known = positions.get(key);
    if (known?.version === version) return later(known.position, everybody);
    const position = await askPrimary(null);
    positions.delete(key);
    if (positions.size >= MAX_KEYS) positions.delete(positions.keys().next().value!);
    positions.set(key, { version, position });
    return later(position, everybody);
  }

  /** Of two servers the newer one: what is behind its positions has been asked for anew. */
  function later(one: Position, other: Position): Position {
    if (one.server !== other.server) return one.server > other.server ? one : other;
    return one.lsn > other.lsn ? one : other;
  }

  /** The replica, as long as it is at the position when a statement begins. */
  function at(position: Position): Queryable {
    const run = async (statement: Statement): Promise<unknown[]> => {
      const [asked, rows] = await replica.together([replayedOf(position.server), statement]);
      const answer = heard(position.server, asked![0] as Replayed);
      if (!has(answer, position)) throw new NotThereError('the replica is not there');
      return rows!;
    };
    return {
      rows: async <Row>(statement: Statement) => (await run(statement)) as Row[],
      first: async <Row>(statement: Statement) => ((await run(statement))[0] as Row | undefined) ?? null,
    };
  }

  async function fromReplica<T>(
    key: string,
    work: (db: Queryable, isReplica: boolean) => Promise<T>,
  ): Promise<{ outcome: Exclude<Outcome, 'replica'> } | { outcome: 'replica'; found: T }> {
    const position = await required(key);
    if (typeof position === 'string') return { outcome: position };
    if (replayed === null || replayed.server !== position.server || !has(replayed, position)) {
      if (!has(await askReplica(position.server), position)) return { outcome: 'behind' };
    }
    return { outcome: 'replica', found: await work(at(position), true) };
  }

  const watching = Promise.all([watchPrimary(), watchReplica()]);
  return {
    async read(key, work) {
      let outcome: Outcome;
      try {
        const answer = await within(READ_WITHIN, fromReplica(key, work));
        if (answer?.outcome === 'replica') {
          onRead('replica');
          return answer.found;
        }
        outcome = answer?.outcome ?? 'failed';
      } catch (error) {
        outcome = error instanceof NotThereError ? 'behind' : 'failed';
        // What is wrong with the work itself is said by the primary.
        if (outcome === 'failed' && !(error instanceof AskPrimaryError)) onError(error as Error);
      }
      onRead(outcome);
      return work(primary, false);
    },
    begin(key) {
      const mark = `${name}:${++lastMark}`;
      return { mark, known: marks.begin(key, mark) };
    },
    end: (key, mark) => marks.end(key, mark),
    state: () => state,
    lag() {
      if (replayed === null || !replayed.standby || state === 'away') return null;
      // It has everything from before the newest sample that it has reached.
      const reached = samples.findLast(
        ({ position }) => position.server === replayed!.server && has(replayed!, position),
      );
      if (reached === undefined) return null;
      return reached === samples.at(-1) ? 0 : (now() - reached.at) / 1000;
    },
    async close() {
      closed = true;
      for (const wake of [...pauses]) wake();
      await watching;
      await replica.close();
    },
  };
}
