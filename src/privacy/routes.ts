import { ContactParams } from '../contacts/schema.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { eraseContact } from './erasure.ts';
import { ERASE_CONFLICTS, ERASE_DESCRIPTION, EraseContact, ErasedContactResponse } from './schema.ts';
import { erasedView } from './view.ts';

type PrivacyDeps = Pick<Deps, 'db' | 'clock' | 'phoneHash' | 'requestLog' | 'logger'>;

/** Erasing a customer, for partners. */
export function privacyRoutes(app: App, { clock, ...deps }: PrivacyDeps): void {
  app.post(
    '/partners/contacts/:contactId/erase',
    {
      schema: {
        operationId: 'eraseContact',
        summary: 'Erase what is stored about a contact',
        tags: ['Contacts'],
        description: `${ERASE_DESCRIPTION} Afterwards it is 404 \`RESOURCE_NOT_FOUND\`.`,
        errors: ERASE_CONFLICTS,
        params: ContactParams,
        body: EraseContact,
        response: { 200: ErasedContactResponse },
      },
      config: { permission: 'partner_contacts_erase' },
    },
    async ({ caller, params, body }) => {
      const owned = { partnerId: caller.partnerId, id: params.contactId };
      const actor = `partner:${caller.partnerId}`;
      return success(
        erasedView(
          await eraseContact(deps, clock.now(), owned, { kind: 'ERASURE', reason: body.reason, actor }),
        ),
      );
    },
  );
}
