import type { Clock } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import type { Logger } from '../platform/logger.ts';
import { type Gateway, GatewayError } from './gateway.ts';
import { moyasarGateway } from './moyasar.ts';
import { logNotifier, type Notifier } from './notifier.ts';
import { sandboxGateway } from './sandbox-gateway.ts';
import { unifonicNotifier } from './unifonic.ts';

/** What the environment says of gateways and notifiers. */
export type PaymentSettings = {
  gateway: Gateway['name'];
  moyasar: { secretKey: string; webhookToken: string; baseUrl?: string } | null;
  unifonic: { appSid: string; senderId: string; baseUrl?: string } | null;
};

export type Gateways = {
  /** Makes the links of new payments. */
  current: Gateway;
  /** Null when the configuration does not name it. */
  find(name: string): Gateway | null;
  /** The one that made a link. Throws a temporary GatewayError when it is not configured (any more). */
  named(name: string): Gateway;
};

/** The gateways that the configuration names; the sandbox's is always there, for the links it has made. */
export function createGateways(
  config: PaymentSettings,
  parts: { db: Db; clock: Clock; publicUrl: () => string },
): Gateways {
  const known = new Map<string, Gateway>([['sandbox', sandboxGateway(parts)]]);
  if (config.moyasar !== null) {
    const callbackUrl = () => `${parts.publicUrl()}/payments/moyasar/notifications`;
    known.set('moyasar', moyasarGateway({ ...config.moyasar, callbackUrl }));
  }
  const named = (name: string): Gateway => {
    const gateway = known.get(name);
    if (gateway === undefined) throw new GatewayError(`the gateway ${name} is not configured`, true);
    return gateway;
  };
  return { current: named(config.gateway), find: (name) => known.get(name) ?? null, named };
}

/** How links reach customers. */
export function createNotifier(config: PaymentSettings, logger: Logger): Notifier {
  return config.unifonic === null ? logNotifier(logger) : unifonicNotifier(config.unifonic);
}
