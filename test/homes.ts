/**
 * Where each test file runs. `npm test` runs on the embedded database whatever is not listed under SERVER or PROGRAMS.
 * With TEST_DATABASE_URL it runs the rest, as `.ci/run` does: those two lists, pages, the files of BOTH, and of all other
 * files the tests that are tagged (`onServer`, `alsoOnServer` in harness.ts).
 */
export type Home = 'embedded' | 'server' | 'both';

/**
 * Several connections or processes, a server that is lost, or counts of one: the embedded database has one connection, so
 * that races have one order, and models of them one history.
 */
const SERVER = [
  'archive-migration',
  'change-fees-histories',
  'cli-schedules',
  'crew-races',
  'customer-messages-kills',
  'database-away',
  'database-connections',
  'deployment-monitoring',
  'doctor-direct',
  'failover-memory',
  'holds-kills',
  'holds-model',
  'hot-paths',
  'life-races',
  'list-plans',
  'one-clock',
  'payments-faults',
  'payments-kills',
  'pgbouncer',
  'races',
  'random-walk',
  'redis-rate-limit',
  'rolling',
  'secrets-rotation',
  'series-kills',
  'series-races',
  'series-ramadan',
  'shared-changes',
  'sign-in-locks',
  'simulator-workers',
  'statement-garbage',
  'statements-model',
  'upgrades',
  'wakeups',
  'watch-server',
  'webhook-faults',
  'webhook-workers',
  'write-probe',
];

/** Starts of programs, a second of a processor and more each: the command line, installed packages, downloads. */
const PROGRAMS = [
  'cli',
  'cli-listen',
  'deployment-one-machine',
  'deployment-proxies',
  'example-app',
  'operating-guide',
  'package',
  'payments-guide',
  'postman',
  'process',
  'secrets-key',
  'stranger',
  'tracing',
];

/**
 * Differences by connection and server: values, collations, types of statements, partitions, migrations, orders of
 * commits.
 */
const BOTH = [
  'audit-chain',
  'booking-changes',
  'database',
  'feed',
  'functions',
  'idempotency',
  'ids',
  'kept-answers',
  'migrations',
  'partitions',
  'series-model',
  'sorting',
  'statements',
  'tables',
  'webhook-claims',
  'webhook-leases',
];

/** End-to-end files that run a second time, through PgBouncer in transaction mode (scripts/test-through-pgbouncer.ts). */
export const POOLED = ['bookings', 'booking-life', 'webhook-deliveries', 'payments', 'pgbouncer'];

/**
 * Why the files take longest that do. They start first, so that no process works alone at the end; the others follow by
 * the size of their text.
 */
export const SLOW: Record<string, string[]> = {
  'machines are installed and boot': ['deployment-one-machine'],
  'tabs in Chromium, each of which compiles the scripts anew': [
    'reference.browser',
    'console.browser',
    'console-board.browser',
    'customer-page.browser',
    'console-zones.browser',
    'console-ways.browser',
    'crew.browser',
    'crew-delays.browser',
    'console-schedules.browser',
    'console-strip.browser',
    'console-series.browser',
  ],
  'a race at each statement of each pair of deeds, with PINs that are hashed': ['sign-in-locks'],
  'leases of killed workers expire': ['webhook-workers', 'payments-kills'],
  'random histories against a model': ['change-fees-histories', 'random-walk', 'series-ramadan'],
  'programs are started': ['process', 'cli', 'quick-start'],
  'workers poll, and peers are slow': [
    'customer-messages',
    'watch',
    'retries',
    'series-messages',
    'webhook-queue',
    'payments-moyasar',
    'payments',
    'webhook-kept',
  ],
  'a service for each of many cases': [
    'crew',
    'operator-people',
    'lost-visits',
    'calendar',
    'operator-moves',
    'holds',
  ],
  'every operation, in every documented status': ['openapi', 'repeats', 'read-back'],
  'thousands of rows': ['customer-import', 'bookings-export'],
};

/** The names in each list, without `.test.ts`. */
export const LISTED = { SERVER, PROGRAMS, BOTH };

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.test\.\w+$/, '');

export const isPooled = (path: string): boolean => POOLED.includes(nameOf(path));

/** Where a file runs, by its path. */
export function homeOf(path: string): Home {
  const name = nameOf(path);
  if (name.endsWith('.browser') || SERVER.includes(name) || PROGRAMS.includes(name)) return 'server';
  return BOTH.includes(name) ? 'both' : 'embedded';
}

/** The tag of tests that run on a server although their file's home is the embedded database. */
export const SERVER_TAG = 'server';

/** Whether tests of a file with this text are tagged. */
export const hasTagged = (text: string): boolean => /\b(?:onServer\(|alsoOnServer\b)/.test(text);
