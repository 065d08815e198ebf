import type { PlanCache } from '../availability/plan.ts';
import { realTime } from '../base/clock.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { decideStep } from './decisions.ts';
import { createCrewLink, crewLinkView, listCrewLinks, revokeCrewLink } from './links.ts';
import { crewStepView, searchCrewSteps } from './operator.ts';
import {
  CreateCrewLink,
  CrewLink,
  CrewLinkParams,
  CrewLinks,
  CrewLinksQuery,
  CrewLinkWithUrl,
  CrewStep,
  CrewStepParams,
  CrewStepsQuery,
  DecideCrewStep,
  TeamParams,
} from './operator-schema.ts';

/** Links of crews, and what they reported, in the operator's interface. */
export function crewOperatorRoutes(
  app: App,
  { db, clock, config, plans }: RouteParts & { config: { publicUrl: string }; plans: PlanCache },
): void {
  const route = routesOf(app, { tags: ['Crews'], missing: ['Team'], params: TeamParams });

  route.get('/operator/teams/:id/crew-links', {
    operationId: 'listCrewLinks',
    summary: "List the links of a team's crew, newest first",
    query: CrewLinksQuery,
    response: { page: CrewLinks },
    answer: async ({ params, query }) =>
      pageOf(await listCrewLinks(db, params.id, query), (row) => crewLinkView(row, realTime(clock))),
  });

  route.post('/operator/teams/:id/crew-links', {
    operationId: 'createCrewLink',
    summary: "Make a link by which a team's crew opens its page",
    description:
      "Whoever has it sees the team's visits of today and tomorrow and sets their steps, on any number of telephones, " +
      'until it ends. With a PIN it opens nothing without that, and is locked after 10 wrong ones.',
    body: CreateCrewLink,
    config: { role: 'dispatcher' },
    status: 201,
    response: { data: CrewLinkWithUrl },
    answer: async ({ actor, params, body }) => {
      const input = { ...body, teamId: params.id };
      const { row, token } = await db.transaction((tx) => createCrewLink(tx, clock, actor, input));
      const url = `${config.publicUrl}/crew#link=${token}`;
      return { ...crewLinkView(row, realTime(clock)), url };
    },
  });

  route.delete('/operator/crew-links/:id', {
    operationId: 'revokeCrewLink',
    summary: 'Revoke a link of a crew: its telephones are signed out',
    missing: ['Crew link'],
    errors: [noMove('The link has expired: it opens nothing any more')],
    params: CrewLinkParams,
    config: { role: 'dispatcher' },
    response: { data: CrewLink },
    answer: async ({ actor, params }) => {
      const row = await db.transaction((tx) => revokeCrewLink(tx, clock, actor, params.id));
      return crewLinkView(row, realTime(clock));
    },
  });

  route.get('/operator/crew-steps', {
    operationId: 'listCrewSteps',
    summary: 'List the steps that crews sent, newest first, also the refused ones',
    query: CrewStepsQuery,
    response: { page: CrewStep },
    answer: async ({ query }) => pageOf(await searchCrewSteps(db, clock.now(), query), crewStepView),
  });

  route.post('/operator/teams/:id/crew-steps/:key/decide', {
    operationId: 'decideCrewStep',
    summary: "Take a crew's refused step as it was reported, or leave it",
    description:
      'For contradictions: two telephones of a team, or a plan that changed while one had no network. What was taken ' +
      'has the events of every change; a status that does not follow is a correction.',
    missing: ['Crew step'],
    errors: [noMove('The step was taken, or is decided already')],
    params: CrewStepParams,
    body: DecideCrewStep,
    config: { role: 'dispatcher' },
    response: { data: CrewStep },
    answer: async ({ actor, params, body }) => {
      const decision = { teamId: params.id, key: params.key, ...body };
      return crewStepView(await decideStep({ db, plans }, clock.now(), actor, decision));
    },
  });
}
