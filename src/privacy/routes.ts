import { ContactParams } from '../contacts/schema.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import type { RequestLog } from '../requests/recorder.ts';
import type { Logger } from '../runtime/logger.ts';
import { eraseContact } from './erasure.ts';
import type { PhoneHash } from './rules.ts';
import { ERASE_CONFLICTS, ERASE_DESCRIPTION, EraseContact, ErasedContact } from './schema.ts';
import { erasedView } from './view.ts';

type PrivacyDeps = RouteParts & { phoneHash: PhoneHash; requestLog: RequestLog | null; logger: Logger };

/** Erasing a customer, for partners and on their pages. */
export function privacyRoutes(app: App, { clock, ...deps }: PrivacyDeps): void {
  const route = routesOf(app, {
    tags: ['Contacts'],
    params: ContactParams,
    config: { permission: 'partner_contacts_erase' },
    inPortal: true,
  });

  route.post('/v1/partners/contacts/:contactId/erase', {
    operationId: 'eraseContact',
    summary: 'Erase what is stored about a contact',
    description: `${ERASE_DESCRIPTION} Afterwards it is 404 \`RESOURCE_NOT_FOUND\`.`,
    errors: ERASE_CONFLICTS,
    body: EraseContact,
    response: { data: ErasedContact },
    answer: async ({ account, params, body }) => {
      const owned = { partnerId: account.partnerId, id: params.contactId };
      const actor = `partner:${account.partnerId}`;
      return erasedView(
        await eraseContact(deps, clock.now(), owned, { kind: 'ERASURE', reason: body.reason, actor }),
      );
    },
  });
}
