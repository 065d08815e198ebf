import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { changePolicy, createPolicy, readPolicy, readVersions } from './policies.ts';
import { listPolicies } from './queries.ts';
import { CreatePolicy, PoliciesQuery, Policy, UpdatePolicy } from './schema.ts';
import { policyView } from './view.ts';

const ASSIGNED = {
  code: 'CONFLICT' as const,
  message: 'Another policy is assigned to the same partner and service',
  details: { reason: 'POLICY_ASSIGNED' },
};

/** Policies in the operator's interface: what a change of a booking costs. */
export function policyRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Policies'], missing: ['Policy'], params: IdParams });

  route.get('/operator/policies', {
    operationId: 'listPolicies',
    summary: 'List policies: what changes of bookings cost',
    query: PoliciesQuery,
    response: { page: Policy },
    answer: async ({ query }) => pageOf(await listPolicies(db, query), policyView),
  });

  route.get('/operator/policies/:id', {
    operationId: 'getPolicy',
    summary: 'Read a policy',
    etag: true,
    response: { data: Policy },
    answer: async ({ params }) => policyView(await readPolicy(db, params.id)),
  });

  route.get('/operator/policies/:id/versions', {
    operationId: 'listPolicyVersions',
    summary: 'List the versions of a policy, the newest first',
    description: 'A version never changes. `assignments` are those of the newest one.',
    response: { list: Policy },
    answer: async ({ params }) => (await readVersions(db, params.id)).map(policyView),
  });

  route.post('/operator/policies', {
    operationId: 'createPolicy',
    summary: 'Create a policy',
    description:
      'Bookings and holds that are made from now on are under it, if it is the most special one for their partner and ' +
      'service. Without one a change costs nothing.',
    errors: [ASSIGNED],
    body: CreatePolicy,
    status: 201,
    etag: true,
    response: { data: Policy },
    answer: async ({ actor, body }) =>
      policyView(await db.transaction((tx) => createPolicy(tx, clock.now(), actor, body))),
  });

  route.patch('/operator/policies/:id', {
    operationId: 'updatePolicy',
    summary: 'Change a policy by a new version',
    description: 'Bookings and holds that were made before keep the version that they were made under.',
    errors: [ASSIGNED],
    body: UpdatePolicy,
    ifMatch: true,
    etag: true,
    response: { data: Policy },
    answer: async ({ actor, params, body, wanted }) => {
      const input = { id: params.id, changes: body, wanted };
      return policyView(await db.transaction((tx) => changePolicy(tx, clock.now(), actor, input)));
    },
  });
}
