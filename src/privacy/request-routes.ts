import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { IdParams } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import {
  CompletePrivacyRequest,
  CreatePrivacyRequest,
  PrivacyCopyResponse,
  PrivacyRequestResponse,
  PrivacyRequestsQuery,
  PrivacyRequestsResponse,
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
import { ERASE_CONFLICTS } from './schema.ts';

type RequestDeps = Pick<Deps, 'db' | 'clock' | 'phoneHash' | 'requestLog' | 'logger'>;

const FINISHED = {
  code: 'INVALID_TRANSITION' as const,
  message: 'The request is finished',
  details: { from: 'DONE', allowedFrom: ['OPEN'] },
};

/** The register of privacy requests in the operator's interface. */
export function privacyRequestRoutes(app: App, deps: RequestDeps): void {
  readRoutes(app, deps);
  changeRoutes(app, deps);
}

function readRoutes(app: App, deps: RequestDeps): void {
  const { db, clock } = deps;
  app.get(
    '/privacy-requests',
    {
      schema: {
        operationId: 'listPrivacyRequests',
        summary: "List customers' requests for a copy, a correction or their erasure, the latest first",
        tags: ['Privacy'],
        querystring: PrivacyRequestsQuery,
        response: { 200: PrivacyRequestsResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => {
      const now = clock.now();
      return successPage(query, await searchRequests(deps, now, query), (row) => requestView(row, now));
    },
  );

  app.get(
    '/privacy-requests/:id',
    {
      schema: {
        operationId: 'getPrivacyRequest',
        summary: 'Read a privacy request with the number and the customers who have it',
        tags: ['Privacy'],
        missing: ['Privacy request'],
        params: IdParams,
        response: { 200: PrivacyRequestResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ params }) => success(requestDetailView(await readRequest(db, params.id), clock.now())),
  );

  app.get(
    '/privacy-requests/:id/export',
    {
      schema: {
        operationId: 'exportPrivacyRequest',
        summary: 'Copy what is stored about the customer, with every partner',
        description: 'Of an open request of kind `ACCESS`. The audit log has who made a copy.',
        tags: ['Privacy'],
        missing: ['Privacy request', 'Copy'],
        params: IdParams,
        response: { 200: PrivacyCopyResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params }) => success(await exportRequest(db, clock.now(), { id: params.id, actor })),
  );
}

function changeRoutes(app: App, deps: RequestDeps): void {
  const { db, clock } = deps;
  const shown = async (id: string) => success(requestDetailView(await readRequest(db, id), clock.now()));

  app.post(
    '/privacy-requests',
    {
      schema: {
        operationId: 'createPrivacyRequest',
        summary: "Enter a customer's request, due 30 days after its receipt",
        description: 'The audit log names neither the number nor the customer.',
        tags: ['Privacy'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'A request of this kind is open for the number',
            details: { reason: 'REQUEST_OPEN' },
          },
        ],
        body: CreatePrivacyRequest,
        response: { 201: PrivacyRequestResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, body }, reply) => {
      const entered = await enterRequest(deps, clock.now(), actor, body);
      reply.code(201);
      return success(requestDetailView(entered, clock.now()));
    },
  );

  app.post(
    '/privacy-requests/:id/complete',
    {
      schema: {
        operationId: 'completePrivacyRequest',
        summary: 'Mark a privacy request as done; an erasure erases the customer with every partner',
        description:
          'An erasure needs the role `admin`, and cannot be undone. With an open booking anywhere nobody is erased. The ' +
          'number is forgotten.',
        tags: ['Privacy'],
        missing: ['Privacy request'],
        errors: [FINISHED, ...ERASE_CONFLICTS],
        params: IdParams,
        body: CompletePrivacyRequest,
        optionalBody: true,
        response: { 200: PrivacyRequestResponse },
      },
      config: { role: 'dispatcher' },
      preValidation: absentBodyIsEmpty,
    },
    async ({ actor, role, params: { id }, body }) => {
      await completeRequest(deps, clock.now(), { id, actor, role, answer: body.answer ?? null });
      return shown(id);
    },
  );

  app.post(
    '/privacy-requests/:id/refuse',
    {
      schema: {
        operationId: 'refusePrivacyRequest',
        summary: 'Refuse a privacy request, with a reason',
        description: 'The number is forgotten.',
        tags: ['Privacy'],
        missing: ['Privacy request'],
        errors: [FINISHED],
        params: IdParams,
        body: RefusePrivacyRequest,
        response: { 200: PrivacyRequestResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params: { id }, body }) => {
      await refuseRequest(db, clock.now(), { id, actor, answer: body.answer });
      return shown(id);
    },
  );
}
