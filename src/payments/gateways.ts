import { type Clock, realTime } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { Logger } from '../runtime/logger.ts';
import { type Gateway, GatewayError } from './gateway.ts';
import { logNotifier, NO_NOTIFIER, type Notifier, withoutDemoCustomers } from './notifier.ts';
import { moyasarGateway } from './providers/moyasar.ts';
import { sandboxGateway } from './providers/sandbox-gateway.ts';
import { type UnifonicOptions, unifonicNotifier } from './providers/unifonic.ts';
import { type WebhookOptions, webhookNotifier } from './providers/webhook.ts';

/** Configuration of gateways and notifiers. */
export type PaymentSettings = {
  gateway: Gateway['name'] | 'none';
  moyasar: { secretKey: string; webhookToken: string; baseUrl?: string } | null;
  notifier: NotifierSettings;
};

export type NotifierSettings =
  | { name: 'none' }
  | { name: 'log' }
  | ({ name: 'webhook' } & WebhookOptions)
  | ({ name: 'unifonic' } & UnifonicOptions);

export type Gateways = {
  /** Makes the links of new payments. Throws a temporary GatewayError when the configuration names none. */
  current(): Gateway;
  /** Null when the configuration does not name it. */
  find(name: string): Gateway | null;
  /** The gateway of an existing link. Throws a temporary GatewayError when it is not configured (any more). */
  named(name: string): Gateway;
};

/**
 * The configured gateways. The sandbox's gateway is always present in a sandbox, for its existing links, and never in
 * production: the holder of one of its links decides whether it is paid.
 */
export function createGateways(
  config: PaymentSettings,
  parts: {
    db: Db;
    sealer: Sealer;
    clock: Clock;
    publicUrl: () => string;
    deployment: 'sandbox' | 'production';
  },
): Gateways {
  const known = new Map<string, Gateway>();
  if (parts.deployment === 'sandbox') known.set('sandbox', sandboxGateway(parts));
  if (config.moyasar !== null) {
    const callbackUrl = () => `${parts.publicUrl()}/payments/moyasar/notifications`;
    known.set('moyasar', moyasarGateway({ ...config.moyasar, callbackUrl }));
  }
  const named = (name: string): Gateway => {
    const gateway = known.get(name);
    if (gateway === undefined) throw new GatewayError(`the gateway ${name} is not configured`, true);
    return gateway;
  };
  return { current: () => named(config.gateway), find: (name) => known.get(name) ?? null, named };
}

/** The gateways with each call inside `around`, which gets its name. */
export function aroundCalls(
  gateways: Gateways,
  around: <T>(name: string, work: () => Promise<T>) => Promise<T>,
): Gateways {
  const wrapped = (gateway: Gateway): Gateway => {
    const call = <T>(name: string, work: () => Promise<T>): Promise<T> =>
      around(`${gateway.name} ${name}`, work);
    return {
      ...gateway,
      createLink: (request) => call('createLink', () => gateway.createLink(request)),
      findLink: (paymentId) => call('findLink', () => gateway.findLink(paymentId)),
      readStatus: (reference) => call('readStatus', () => gateway.readStatus(reference)),
      closeLink: (reference) => call('closeLink', () => gateway.closeLink(reference)),
      refund: (...refund) => call('refund', () => gateway.refund(...refund)),
    };
  };
  return {
    current: () => wrapped(gateways.current()),
    find(name) {
      const found = gateways.find(name);
      return found && wrapped(found);
    },
    named: (name) => wrapped(gateways.named(name)),
  };
}

type NotifierParts = { clock: Clock; deployment: 'sandbox' | 'production'; logger: Logger };

/** The configured notifier of customers. */
export function createNotifier({ notifier: settings }: PaymentSettings, parts: NotifierParts): Notifier {
  const notifier = openNotifier(settings, parts);
  if (parts.deployment === 'production' || settings.name === 'none') return notifier;
  return withoutDemoCustomers(notifier, parts.logger);
}

/** The notifier without exceptions, for the operator's own numbers. */
export function openNotifier(
  settings: NotifierSettings,
  { clock, logger }: Omit<NotifierParts, 'deployment'>,
): Notifier {
  switch (settings.name) {
    case 'none':
      return NO_NOTIFIER;
    case 'log':
      return logNotifier(logger);
    case 'webhook':
      return webhookNotifier(settings, () => realTime(clock));
    case 'unifonic':
      return unifonicNotifier(settings);
  }
}
