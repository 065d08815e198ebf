import { type Clock, DAY, type Instant, realTime } from '../base/clock.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { first, rows } from '../db/statement.ts';
import { within } from '../db/within.ts';
import type { Logger } from '../runtime/logger.ts';
import {
  DELETE_PAGE_FILES,
  FILES,
  FIND_PAGE_FILE,
  INSERT_PAGE_FILES,
  NOTE_PAGE_FILES,
} from './page-file-queries.ts';
import type { Faults } from './probes.ts';

/**
 * Files of the builds that processes run, in the database: a page that another build has made finds its files here, after a
 * deployment and while two builds run behind one address.
 */

/** Milliseconds for which a file is kept after the last process that had it. */
const RETENTION = 7 * DAY;

/** Milliseconds between two notes that the files are in use, between two tries, and for which a page waits for one. */
const NOTE_EVERY = 3_600_000;
const TRY_EVERY = 10_000;
const MAX_WAIT = 1_000;

/** A name of the bundler with the hash of the content: what it names never changes. */
const HASHED = /^[\w.-]{1,120}-[A-Z0-9]{8}\.[a-z0-9]{1,5}$/;

/** The content of a file of the base that any build of the last days had; null: none had it. */
export async function findPageFile(db: Queryable, base: string, name: string): Promise<Buffer | null> {
  if (!HASHED.test(name)) return null;
  const found = await first(db, FIND_PAGE_FILE, { base, name });
  return found === null ? null : found.body;
}

/** Deletes the files that no process has had for seven days, in real time. */
export async function forgetPageFiles(db: Queryable, clock: Clock): Promise<void> {
  await rows(db, DELETE_PAGE_FILES, { before: realTime(clock) - RETENTION });
}

export type PageFilesDeps = { db: Db; clock: Clock; faults: Faults; logger: Logger };

/**
 * Stores the files of this process's build of a base, as soon as the database takes them, and notes that they are in use.
 * `keep` resolves when they are stored, or a second later.
 */
export function keepBuild({ db, clock, faults, logger }: PageFilesDeps, base: string) {
  let build: { name: string; body: Buffer }[] = [];
  let isFailing = false;
  let dueAt = Infinity;
  let storing: Promise<void> | null = null;
  let isClosed = false;
  const timer = setInterval(() => void storeWhenDue(), TRY_EVERY).unref();

  async function store(now: Instant): Promise<void> {
    try {
      const names = build.map(({ name }) => name);
      const known = new Set((await rows(db, NOTE_PAGE_FILES, { base, names, now })).map(({ name }) => name));
      const missing = build.filter(({ name }) => !known.has(name));
      if (missing.length > 0) await rows(db, INSERT_PAGE_FILES, { base, now, ...FILES.valuesOf(missing) });
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, `the files of ${base} could not be kept for other builds`);
      isFailing = true;
    }
    dueAt = performance.now() + (isFailing ? TRY_EVERY : NOTE_EVERY);
    storing = null;
  }

  /** A database that is away, or takes no writes, is asked later. */
  async function storeWhenDue(): Promise<void> {
    const isDue = performance.now() >= dueAt && !isClosed;
    if (isDue && Object.keys(faults()).length === 0) storing ??= store(realTime(clock));
    await storing;
  }

  return {
    async keep(files: ReadonlyMap<string, { body: Buffer }>): Promise<void> {
      if (build.length === 0) {
        build = [...files].flatMap(([name, { body }]) => (HASHED.test(name) ? [{ name, body }] : []));
        dueAt = 0;
      }
      await within(MAX_WAIT, storeWhenDue());
    },
    /** Resolves when nothing of it needs the database any more. */
    async close(): Promise<void> {
      clearInterval(timer);
      isClosed = true;
      await storing;
    },
  };
}
