import type { PlanBook } from './availability/plan.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { AccessBook } from './partners/access.ts';
import type { Gateways } from './payments/gateways.ts';
import type { Notifier } from './payments/notifier.ts';
import type { Db } from './platform/db.ts';
import type { Logger } from './platform/logger.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Outbound } from './platform/outbound.ts';
import type { RateLimiter } from './platform/rate-limit.ts';
import type { VersionWatch } from './platform/versions.ts';
import type { Wakeups } from './platform/wakeups.ts';

/** What a running process is made of; service.ts puts it together, app.ts and worker.ts hand it out in parts. */
export type Deps = {
  config: Config;
  clock: Clock;
  db: Db;
  logger: Logger;
  metrics: Metrics;
  versions: VersionWatch;
  access: AccessBook;
  plans: PlanBook;
  rateLimiter: RateLimiter;
  wakeups: Wakeups;
  /** What webhooks go out through. */
  outbound: Outbound;
  gateways: Gateways;
  notifier: Notifier;
  /** The first operator token: OPERATOR_TOKEN, or the one made for an embedded database. */
  operatorToken: string;
};
