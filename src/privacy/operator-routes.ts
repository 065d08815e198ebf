import { toRiyadhIso } from '../base/clock.ts';
import { audit } from '../db/audit.ts';
import type { Tx } from '../db/connection.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import type { RequestLog } from '../requests/recorder.ts';
import type { Logger } from '../runtime/logger.ts';
import { type Erased, eraseContact } from './erasure.ts';
import type { PhoneHash } from './rules.ts';
import { ERASE_CONFLICTS, ERASE_DESCRIPTION, EraseContact, ErasedContact } from './schema.ts';
import { erasedView } from './view.ts';

type PrivacyDeps = RouteParts & { phoneHash: PhoneHash; requestLog: RequestLog | null; logger: Logger };

/** Erasing a customer, in the operator API. */
export function erasureOperatorRoutes(app: App, { clock, ...deps }: PrivacyDeps): void {
  const route = routesOf(app, { tags: ['Contacts'], missing: ['Contact'], params: IdParams });

  route.post('/operator/contacts/:id/erase', {
    operationId: 'eraseCustomer',
    summary: "Erase what is stored about a partner's contact",
    description: ERASE_DESCRIPTION,
    errors: ERASE_CONFLICTS,
    body: EraseContact,
    response: { data: ErasedContact },
    answer: async ({ actor, params, body }) => {
      const record = (tx: Tx, { id, requestId, erasedAt }: Erased) =>
        audit(tx, erasedAt, {
          actor,
          action: 'contact.erase',
          target: `contact:${id}`,
          after: { id, requestId, erasedAt: toRiyadhIso(erasedAt) },
        });
      const owned = { partnerId: null, id: params.id };
      const { reason } = body;
      return erasedView(
        await eraseContact(deps, clock.now(), owned, { kind: 'ERASURE', reason, actor, record }),
      );
    },
  });
}
