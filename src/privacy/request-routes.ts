import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import type { RequestLog } from '../requests/recorder.ts';
import type { Logger } from '../runtime/logger.ts';
import {
  CompletePrivacyRequest,
  CreatePrivacyRequest,
  PrivacyCopy,
  PrivacyRequest,
  PrivacyRequestDetail,
  PrivacyRequestsQuery,
  RefusePrivacyRequest,
} from './request-schema.ts';
import { requestDetailView, requestView } from './request-view.ts';
import {
  completeRequest,
  enterRequest,
  exportRequest,
  readRequest,
  refuseRequest,
  searchRequests,
} from './requests.ts';
import type { PhoneHash } from './rules.ts';
import { ERASE_CONFLICTS } from './schema.ts';

type RequestDeps = RouteParts & { phoneHash: PhoneHash; requestLog: RequestLog | null; logger: Logger };

const FINISHED = noMove('The request is finished', { from: 'DONE', allowedFrom: ['OPEN'] });

/** The register of privacy requests in the operator's interface. */
export function privacyRequestRoutes(app: App, deps: RequestDeps): void {
  const { db, clock } = deps;
  const shown = async (id: string) => requestDetailView(await readRequest(db, id), clock.now());
  const route = routesOf(app, {
    tags: ['Privacy'],
    missing: ['Privacy request'],
    params: IdParams,
    config: { role: 'dispatcher' },
  });

  route.get('/operator/privacy-requests', {
    operationId: 'listPrivacyRequests',
    summary: "List customers' requests for a copy, a correction or their erasure, the latest first",
    query: PrivacyRequestsQuery,
    config: { role: 'viewer' },
    response: { page: PrivacyRequest },
    answer: async ({ query }) => {
      const now = clock.now();
      return pageOf(await searchRequests(deps, now, query), (row) => requestView(row, now));
    },
  });

  route.get('/operator/privacy-requests/:id', {
    operationId: 'getPrivacyRequest',
    summary: 'Read a privacy request with the number and the customers who have it',
    response: { data: PrivacyRequestDetail },
    answer: async ({ params }) => requestDetailView(await readRequest(db, params.id), clock.now()),
  });

  route.get('/operator/privacy-requests/:id/export', {
    operationId: 'exportPrivacyRequest',
    summary: 'Copy what is stored about the customer, with every partner',
    description: 'Of an open request of kind `ACCESS`. The audit log has who made a copy.',
    missing: ['Privacy request', 'Copy'],
    response: { data: PrivacyCopy },
    answer: async ({ actor, params }) => await exportRequest(db, clock.now(), { id: params.id, actor }),
  });

  route.post('/operator/privacy-requests', {
    operationId: 'createPrivacyRequest',
    summary: "Enter a customer's request, due 30 days after its receipt",
    description: 'The audit log names neither the number nor the customer.',
    errors: [
      {
        code: 'CONFLICT',
        message: 'A request of this kind is open for the number',
        details: { reason: 'REQUEST_OPEN' },
      },
    ],
    body: CreatePrivacyRequest,
    status: 201,
    response: { data: PrivacyRequestDetail },
    answer: async ({ actor, body }) => {
      const entered = await enterRequest(deps, clock.now(), actor, body);
      return requestDetailView(entered, clock.now());
    },
  });

  route.post('/operator/privacy-requests/:id/complete', {
    operationId: 'completePrivacyRequest',
    summary: 'Mark a privacy request as done; an erasure erases the customer with every partner',
    description:
      'An erasure needs the role `admin`, and cannot be undone. With an open booking anywhere nobody is erased. The ' +
      'number is forgotten.',
    errors: [FINISHED, ...ERASE_CONFLICTS],
    body: CompletePrivacyRequest,
    optionalBody: true,
    response: { data: PrivacyRequestDetail },
    answer: async ({ actor, role, params: { id }, body }) => {
      await completeRequest(deps, clock.now(), { id, actor, role, answer: body.answer ?? null });
      return shown(id);
    },
  });

  route.post('/operator/privacy-requests/:id/refuse', {
    operationId: 'refusePrivacyRequest',
    summary: 'Refuse a privacy request, with a reason',
    description: 'The number is forgotten.',
    errors: [FINISHED],
    body: RefusePrivacyRequest,
    response: { data: PrivacyRequestDetail },
    answer: async ({ actor, params: { id }, body }) => {
      await refuseRequest(db, clock.now(), { id, actor, answer: body.answer });
      return shown(id);
    },
  });
}
