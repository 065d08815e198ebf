import type { Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import { type EnabledService, listEnabledServices } from '../catalogue/enabled-queries.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { viewBy } from '../http/fields.ts';
import { routesOf } from '../http/routes.ts';
import { partnerRows } from '../partners/account-queries.ts';
import { listKeys } from '../partners/key-queries.ts';
import { priceAt, pricesAt } from '../partners/price-rules.ts';
import { Account, PortalService } from './account-schema.ts';
import { portalKeyView, portalPartnerView } from './account-view.ts';

const FIRST_KEYS = { limit: 100, offset: 0 };

/** The partner's account: settings, keys and services. */
export function accountRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Account'] });

  route.get('/portal/api/account', {
    operationId: 'getAccount',
    summary: 'Read the settings of the partner and its keys, the newest 100, without their secrets',
    description: 'A session that a key opened reads that key alone.',
    config: { session: 'any' },
    response: { data: Account },
    answer: async ({ visitor: { partnerId, keyId, limit } }) => {
      const now = clock.now();
      const partner = await orNotFound(partnerRows.find(db, partnerId), 'Partner');
      const { rows } = await listKeys(db, partnerId, {}, FIRST_KEYS);
      const shown = keyId === null ? rows : rows.filter(({ id }) => id === keyId);
      return {
        partner: limit === null ? portalPartnerView(partner) : null,
        keys: shown.map((key) => portalKeyView(key, now)),
      };
    },
  });

  route.get('/portal/api/services', {
    operationId: 'listServices',
    summary: 'List the services that may be booked, with their prices',
    config: { permission: 'partner_services_read' },
    response: { list: PortalService },
    answer: async ({ visitor }) => {
      const now = clock.now();
      return (await listEnabledServices(db, visitor.partnerId)).map((row) => serviceView(row, now));
    },
  });
}

const serviceView = (row: EnabledService, now: Instant) =>
  viewBy(PortalService, row, {
    nameEn: row.name,
    price: Number(priceAt(row.prices, now)),
    isOwnPrice: pricesAt(row.prices[0], now).price !== null,
  });
