import { toRiyadhIso } from '../base/clock.ts';
import { audit } from '../db/audit.ts';
import type { Tx } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { IdParams } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { type Erased, eraseContact } from './erasure.ts';
import { ERASE_CONFLICTS, ERASE_DESCRIPTION, EraseContact, ErasedContactResponse } from './schema.ts';
import { erasedView } from './view.ts';

type PrivacyDeps = Pick<Deps, 'db' | 'clock' | 'phoneHash' | 'requestLog' | 'logger'>;

/** Erasing a customer, in the operator API. */
export function erasureOperatorRoutes(app: App, { clock, ...deps }: PrivacyDeps): void {
  app.post(
    '/contacts/:id/erase',
    {
      schema: {
        operationId: 'eraseCustomer',
        summary: "Erase what is stored about a partner's contact",
        description: ERASE_DESCRIPTION,
        tags: ['Contacts'],
        missing: ['Contact'],
        errors: ERASE_CONFLICTS,
        params: IdParams,
        body: EraseContact,
        response: { 200: ErasedContactResponse },
      },
      config: { role: 'admin' },
    },
    async ({ actor, params, body }) => {
      const record = (tx: Tx, { id, requestId, erasedAt }: Erased) =>
        audit(tx, erasedAt, {
          actor,
          action: 'contact.erase',
          target: `contact:${id}`,
          after: { id, requestId, erasedAt: toRiyadhIso(erasedAt) },
        });
      const owned = { partnerId: null, id: params.id };
      const { reason } = body;
      return success(
        erasedView(await eraseContact(deps, clock.now(), owned, { kind: 'ERASURE', reason, actor, record })),
      );
    },
  );
}
