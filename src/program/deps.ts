import type { PlanCache } from '../availability/plan.ts';
import type { Clock } from '../base/clock.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { CheckPlace, LocateAddress } from '../contacts/resolver.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import type { Watched } from '../http/metrics-route.ts';
import type { Faults } from '../http/probes.ts';
import type { Outbound } from '../outbound/requests.ts';
import type { KeyCache } from '../partners/access.ts';
import type { Gateways } from '../payments/gateways.ts';
import type { Notifier } from '../payments/notifier.ts';
import type { PhoneHash } from '../privacy/rules.ts';
import type { RequestLog } from '../requests/recorder.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { RateLimiter } from '../runtime/rate-limit.ts';
import type { Tracing } from '../runtime/tracing.ts';
import type { VersionWatch } from '../runtime/versions.ts';
import type { Wakeups } from '../runtime/wakeups.ts';
import type { Config } from './config.ts';

/** The parts of a running process; service.ts creates them, app.ts and worker.ts pass them on. */
export type Deps = {
  config: Config;
  clock: Clock;
  db: Db;
  logger: Logger;
  /** The name of this build. */
  build: string;
  /** Why this process cannot serve, as /readyz reports. */
  faults: Faults;
  metrics: Metrics;
  /** null: not traced. */
  tracing: Tracing | null;
  versions: VersionWatch;
  keys: KeyCache;
  /** null: no log. */
  requestLog: RequestLog | null;
  plans: PlanCache;
  /** Encrypts and decrypts secrets of the database. */
  sealer: Sealer;
  /** Addresses of the customers' pages. */
  tracking: Tracking;
  /** Coordinates of a short address. */
  locate: LocateAddress;
  /** Whether coordinates are where the short address is. */
  checkPlace: CheckPlace;
  /** Remembers numbers that were erased. */
  phoneHash: PhoneHash;
  rateLimiter: RateLimiter;
  authFailures: AuthFailures;
  wakeups: Wakeups;
  /** The HTTP client of webhooks. */
  outbound: Outbound;
  gateways: Gateways;
  notifier: Notifier;
  /** The first operator token: OPERATOR_TOKEN, or the generated one of an embedded database. */
  operatorToken: string;
  watched: Watched;
  /** Whether the process is about to stop: it still serves requests. */
  isDraining: () => boolean;
};
