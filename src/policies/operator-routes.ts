import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import {
  EtagHeader,
  EtagOfNew,
  IfMatchHeader,
  ifMatchRules,
  STALE,
  tagged,
  wantedVersions,
} from '../http/if-match.ts';
import { IdParams } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { changePolicy, createPolicy, listPolicies, readPolicy, readVersions } from './policies.ts';
import {
  CreatePolicy,
  PoliciesQuery,
  PoliciesResponse,
  PolicyResponse,
  PolicyVersionsResponse,
  UpdatePolicy,
} from './schema.ts';
import { policyView } from './view.ts';

const ASSIGNED = {
  code: 'CONFLICT' as const,
  message: 'Another policy is assigned to the same partner and service',
  details: { reason: 'POLICY_ASSIGNED' },
};

/** Policies in the operator's interface: what a change of a booking costs. */
export function policyRoutes(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  readRoutes(app, deps);
  changeRoutes(app, deps);
}

function readRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.get(
    '/policies',
    {
      schema: {
        operationId: 'listPolicies',
        summary: 'List policies: what changes of bookings cost',
        tags: ['Policies'],
        querystring: PoliciesQuery,
        response: { 200: PoliciesResponse },
      },
    },
    async ({ query }) => successPage(query, await listPolicies(db, query), policyView),
  );

  app.get(
    '/policies/:id',
    {
      schema: {
        operationId: 'getPolicy',
        summary: 'Read a policy',
        tags: ['Policies'],
        missing: ['Policy'],
        params: IdParams,
        response: { 200: PolicyResponse },
        responseHeaders: EtagHeader,
      },
    },
    async ({ params }, reply) => {
      const row = await readPolicy(db, params.id);
      tagged(reply, row.version);
      return success(policyView(row));
    },
  );

  app.get(
    '/policies/:id/versions',
    {
      schema: {
        operationId: 'listPolicyVersions',
        summary: 'List the versions of a policy, the newest first',
        description: 'A version never changes. `assignments` are those of the newest one.',
        tags: ['Policies'],
        missing: ['Policy'],
        params: IdParams,
        response: { 200: PolicyVersionsResponse },
      },
    },
    async ({ params }) => success((await readVersions(db, params.id)).map(policyView)),
  );
}

function changeRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.post(
    '/policies',
    {
      schema: {
        operationId: 'createPolicy',
        summary: 'Create a policy',
        description:
          'Bookings and holds that are made from now on are under it, if it is the most special one for their partner and ' +
          'service. Without one a change costs nothing.',
        tags: ['Policies'],
        errors: [ASSIGNED],
        body: CreatePolicy,
        response: { 201: PolicyResponse },
        responseHeaders: EtagOfNew,
      },
    },
    async ({ actor, body }, reply) => {
      const row = await db.transaction((tx) => createPolicy(tx, clock.now(), actor, body));
      reply.code(201);
      tagged(reply, row.version);
      return success(policyView(row));
    },
  );

  app.patch(
    '/policies/:id',
    {
      schema: {
        operationId: 'updatePolicy',
        summary: 'Change a policy by a new version',
        description: 'Bookings and holds that were made before keep the version that they were made under.',
        tags: ['Policies'],
        missing: ['Policy'],
        errors: [ASSIGNED, STALE],
        params: IdParams,
        headers: IfMatchHeader,
        body: UpdatePolicy,
        response: { 200: PolicyResponse },
        responseHeaders: EtagHeader,
      },
      config: { rules: ifMatchRules },
    },
    async (request, reply) => {
      const { actor, params, body } = request;
      const input = { id: params.id, changes: body, wanted: wantedVersions(request) };
      const row = await db.transaction((tx) => changePolicy(tx, clock.now(), actor, input));
      tagged(reply, row.version);
      return success(policyView(row));
    },
  );
}
