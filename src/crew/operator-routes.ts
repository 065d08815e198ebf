import { realTime } from '../base/clock.ts';
import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { decideStep } from './decisions.ts';
import { createCrewLink, crewLinkView, listCrewLinks, revokeCrewLink } from './links.ts';
import { crewStepView, searchCrewSteps } from './operator.ts';
import {
  CreateCrewLink,
  CrewLinkParams,
  CrewLinkResponse,
  CrewLinksQuery,
  CrewLinksResponse,
  CrewLinkWithUrlResponse,
  CrewStepParams,
  CrewStepResponse,
  CrewStepsQuery,
  CrewStepsResponse,
  DecideCrewStep,
  TeamParams,
} from './operator-schema.ts';

/** Links of crews, and what they reported, in the operator's interface. */
export function crewOperatorRoutes(
  app: App,
  { db, clock, config, plans }: Pick<Deps, 'db' | 'clock' | 'config' | 'plans'>,
): void {
  app.get(
    '/teams/:id/crew-links',
    {
      schema: {
        operationId: 'listCrewLinks',
        summary: "List the links of a team's crew, newest first",
        tags: ['Crews'],
        missing: ['Team'],
        params: TeamParams,
        querystring: CrewLinksQuery,
        response: { 200: CrewLinksResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ params, query }) =>
      successPage(query, await listCrewLinks(db, params.id, query), (row) =>
        crewLinkView(row, realTime(clock)),
      ),
  );

  app.post(
    '/teams/:id/crew-links',
    {
      schema: {
        operationId: 'createCrewLink',
        summary: "Make a link by which a team's crew opens its page",
        description:
          "Whoever has it sees the team's visits of today and tomorrow and sets their steps, on any number of telephones, " +
          'until it ends. With a PIN it opens nothing without that, and is locked after 10 wrong ones.',
        tags: ['Crews'],
        missing: ['Team'],
        params: TeamParams,
        body: CreateCrewLink,
        response: { 201: CrewLinkWithUrlResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }, reply) => {
      const input = { ...body, teamId: params.id };
      const { row, token } = await db.transaction((tx) => createCrewLink(tx, clock, actor, input));
      reply.code(201);
      const url = `${config.publicUrl}/crew#link=${token}`;
      return success({ ...crewLinkView(row, realTime(clock)), url });
    },
  );

  app.delete(
    '/crew-links/:id',
    {
      schema: {
        operationId: 'revokeCrewLink',
        summary: 'Revoke a link of a crew: its telephones are signed out',
        tags: ['Crews'],
        missing: ['Crew link'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'The link has expired: it opens nothing any more',
            details: {},
          },
        ],
        params: CrewLinkParams,
        response: { 200: CrewLinkResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params }) => {
      const row = await db.transaction((tx) => revokeCrewLink(tx, clock, actor, params.id));
      return success(crewLinkView(row, realTime(clock)));
    },
  );

  app.get(
    '/crew-steps',
    {
      schema: {
        operationId: 'listCrewSteps',
        summary: 'List the steps that crews sent, newest first, also the refused ones',
        tags: ['Crews'],
        querystring: CrewStepsQuery,
        response: { 200: CrewStepsResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => successPage(query, await searchCrewSteps(db, clock.now(), query), crewStepView),
  );

  app.post(
    '/teams/:id/crew-steps/:key/decide',
    {
      schema: {
        operationId: 'decideCrewStep',
        summary: "Take a crew's refused step as it was reported, or leave it",
        description:
          'For contradictions: two telephones of a team, or a plan that changed while one had no network. What was taken ' +
          'has the events of every change; a status that does not follow is a correction.',
        tags: ['Crews'],
        missing: ['Crew step'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'The step was taken, or is decided already',
            details: {},
          },
        ],
        params: CrewStepParams,
        body: DecideCrewStep,
        response: { 200: CrewStepResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }) => {
      const decision = { teamId: params.id, key: params.key, ...body };
      return success(crewStepView(await decideStep({ db, plans }, clock.now(), actor, decision)));
    },
  );
}
