import Type from 'typebox';
import { realTime, riyadhIsoOrNull } from '../base/clock.ts';
import { audit } from '../db/audit.ts';
import type { App, RouteParts } from '../http/edge.ts';
import type { Watched } from '../http/metrics-route.ts';
import { routesOf } from '../http/routes.ts';
import { Choice, NoFields, Nullable, Stamp, Text } from '../http/schemas.ts';
import type { NotifierSettings } from '../payments/gateways.ts';
import type { Logger } from '../runtime/logger.ts';
import { type AlertSettings, alertOf, type Channel, openChannels } from './channels.ts';

const AlertChannel = Type.Object({
  kind: Choice(['SMS', 'WEBHOOK'], 'A number of ALERT_PHONES, or ALERT_WEBHOOK_URL'),
  to: Text('The number, masked, or the host', '+966••••••567', 1_000),
  outcome: Nullable(Text('Of the test: `taken`, or why it was not; null: there was none', 'taken', 1_000)),
});

const Alerts = Type.Object(
  {
    channels: Type.Array(AlertChannel, { maxItems: 1_000, description: 'Where alerts go' }),
    missing: Type.Array(Text('Its name', 'ALERT_PHONES'), {
      maxItems: 2,
      description: 'Variables without which there is no channel of a kind',
    }),
    watchedAt: Nullable(
      Stamp('When a watcher last read the figures of this process; null: not since its start'),
    ),
  },
  { title: 'Alerts' },
);

type Deps = RouteParts & {
  config: { alerts: AlertSettings; payments: { notifier: NotifierSettings }; publicUrl: string };
  watched: Watched;
  logger: Logger;
};

/** Where the alerts of `partner-booking watch` go, tried from here. */
export function alertRoutes(app: App, { db, clock, config, watched, logger }: Deps): void {
  const route = routesOf(app, { tags: ['Alerts'] });
  const { alerts, payments, publicUrl } = config;
  const channels = openChannels(config, clock, logger);
  const missing = [
    ...(alerts.phones.length === 0
      ? ['ALERT_PHONES']
      : payments.notifier.name === 'none'
        ? ['NOTIFIER']
        : []),
    ...(alerts.webhook === null ? ['ALERT_WEBHOOK_URL'] : []),
  ];
  const view = (outcomes: readonly string[]) => ({
    channels: channels.map(({ kind, to }, i) => ({ kind, to, outcome: outcomes[i] ?? null })),
    missing,
    watchedAt: riyadhIsoOrNull(watched.at),
  });

  async function test({ name, tell }: Channel): Promise<string> {
    const since = realTime(clock);
    const news = { fact: 'TEST', process: null, roles: '', since, endedAt: null } as const;
    const to = { host: new URL(publicUrl).host, channel: name };
    return tell(alertOf(news, 'TEST', since, to)).then(
      () => 'taken',
      (error) => error.message,
    );
  }

  route.get('/operator/alerts', {
    operationId: 'getAlerts',
    summary: 'Read where alerts go, and whether this process is watched',
    response: { data: Alerts },
    answer: async () => view([]),
  });

  route.post('/operator/alerts/test', {
    operationId: 'testAlerts',
    summary: 'Send a test alert to every channel now, and return what became of each',
    body: NoFields,
    response: { data: Alerts },
    async answer({ actor }) {
      const outcome = view(await Promise.all(channels.map(test)));
      const after = { channels: outcome.channels };
      await db.transaction((tx) =>
        audit(tx, clock.now(), { actor, action: 'alert.test', target: 'alerts:test', after }),
      );
      return outcome;
    },
  });
}
