import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Page } from '../db/pages.ts';
import { type App, absentBodyIsEmpty } from './edge.ts';
import { type PageQueryValues, success, successPage } from './envelope.ts';
import { EtagHeader, EtagOfNew, IfMatchHeader, ifMatchRules, STALE, tagged } from './if-match.ts';
import { BodyEtag, conditional, IfNoneMatchHeader, NotModified } from './if-none-match.ts';
import { NoFields, Success, SuccessList, SuccessPage } from './schemas.ts';

/** Defaults of a resource's routes, each of which a route may override. */
export type Resource<Params extends TSchema = TSchema> = {
  tags: readonly string[];
  /** Of paths with parameters. */
  params?: Params;
  /** Resources of its 404, of paths with parameters. */
  missing?: readonly string[];
  /** A route adds its own. */
  config?: FastifyContextConfig;
  /** The portal has them too: below /portal/api, and named without `Webhook` and `Sandbox`. */
  inPortal?: true;
};

const PORTAL = '/portal/api';

/** The path and the operation ID of a partner's route in the portal. */
const placedInPortal = (path: string, operationId: string): [string, string] => [
  path.replace('/v1/partners', PORTAL).replace('/webhooks', ''),
  operationId.replace(/Webhook|Sandbox/, ''),
];

/** Schemas of a success: of its data, of the rows of a list or a page, or of a body with another envelope. */
type Response = { data: TSchema } | { list: TSchema } | { page: TSchema } | { body: TSchema };

type AnswerOf<R> = R extends { data: infer S extends TSchema }
  ? Static<S>
  : R extends { list: infer S extends TSchema }
    ? Static<S>[]
    : R extends { page: infer S extends TSchema }
      ? Page<Static<S>>
      : R extends { body: infer S extends TSchema }
        ? Static<S>
        : never;

type Described = Pick<
  FastifySchema,
  'summary' | 'description' | 'errors' | 'missing' | 'responseHeaders' | 'responseType' | 'deprecated'
>;

/** The definition of a route. */
type Route<
  R extends Response,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  H extends TSchema,
> = Described & {
  operationId: string;
  tags?: readonly string[];
  params?: P;
  query?: Q;
  /** `NoFields` may be absent too. */
  body?: B;
  optionalBody?: true;
  headers?: H;
  config?: FastifyContextConfig;
  response: R;
  /** By default 200. */
  status?: 201;
  /** The ETag of the response is the `version` of the data. */
  etag?: AnswerOf<R> extends { version: number } ? true : never;
  /** It obeys If-Match: the use case takes `request.wanted`. */
  ifMatch?: true;
  /** It obeys If-None-Match. */
  ifNoneMatch?: true;
  /** Returns the data, the rows of a list, a page of them, or the body; `reply` when that was sent. */
  answer(
    request: FastifyRequest<{
      Params: Static<P>;
      Querystring: Static<Q>;
      Body: Static<B>;
      Headers: Static<H>;
    }>,
    reply: FastifyReply,
  ): AnswerOf<R> | Promise<AnswerOf<R>>;
};

type AddRoute<Params extends TSchema> = <
  const Path extends string,
  R extends Response,
  P extends TSchema = Path extends `${string}/:${string}` ? Params : TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  H extends TSchema = TSchema,
>(
  path: Path,
  route: Route<R, P, Q, B, H>,
) => void;

type AnyRoute = Omit<Route<Response, TSchema, TSchema, TSchema, TSchema>, 'etag'> & { etag?: true };

/**
 * A function for each method that adds a route of the resource to the application. Paths are whole, as a client sends
 * them: `/operator/teams/:id`.
 */
export function routesOf<Params extends TSchema = TSchema>(app: App, resource: Resource<Params>) {
  const adder =
    (method: HTTPMethods): AddRoute<Params> =>
    (path, route) =>
      addRoute(app, resource, method, [path, route as unknown as AnyRoute]);
  return {
    get: adder('GET'),
    post: adder('POST'),
    put: adder('PUT'),
    patch: adder('PATCH'),
    delete: adder('DELETE'),
  };
}

function addRoute(
  app: App,
  resource: Resource,
  method: HTTPMethods,
  [given, route]: [string, AnyRoute],
): void {
  const isPlaced = resource.inPortal && app.prefix === PORTAL;
  const [path, operationId] = isPlaced
    ? placedInPortal(given, route.operationId)
    : [given, route.operationId];
  if (!path.startsWith(`${app.prefix}/`)) throw new Error(`${path} is not below ${app.prefix}`);
  const {
    response,
    status = 200,
    etag,
    ifMatch,
    ifNoneMatch,
    query,
    optionalBody,
    config,
    answer,
    ...own
  } = route;
  const { tags, config: common, inPortal: _, ...ofParameters } = resource;
  const mayLackBody = optionalBody ?? own.body === NoFields;
  app.route({
    method,
    url: path.slice(app.prefix.length),
    schema: {
      tags,
      ...(path.includes('/:') && ofParameters),
      ...own,
      operationId,
      ...(query && { querystring: query }),
      ...(mayLackBody && { optionalBody: true }),
      ...(ifMatch && { headers: IfMatchHeader, errors: [...(own.errors ?? []), STALE] }),
      ...(ifNoneMatch && { headers: IfNoneMatchHeader }),
      response: { [status]: bodyOf(response), ...(ifNoneMatch && { 304: NotModified }) },
      responseHeaders: {
        ...(etag && (status === 201 ? EtagOfNew : EtagHeader)),
        ...(ifNoneMatch && BodyEtag),
        ...own.responseHeaders,
      },
    },
    config: { ...common, ...config, ...(ifMatch && { rules: ifMatchRules }) },
    ...(mayLackBody && { preValidation: absentBodyIsEmpty }),
    ...(ifNoneMatch && { onSend: conditional }),
    async handler(request, reply) {
      const answered: unknown = await answer(request as Parameters<typeof answer>[0], reply);
      if (answered === reply) return reply;
      if (status !== 200) reply.code(status);
      if (etag) tagged(reply, (answered as { version: number }).version);
      if ('body' in response) return answered;
      if (!('page' in response)) return success(answered);
      return successPage(request.query as PageQueryValues, answered as Page<unknown>);
    },
  });
}

/** The schema of the whole body. */
function bodyOf(response: Response): TSchema {
  if ('data' in response) return Success(response.data);
  if ('list' in response) return SuccessList(response.list);
  return 'page' in response ? SuccessPage(response.page) : response.body;
}

/** For `errors`: the refusal of a move from the state that it has. */
export const noMove = (message: string, details: Record<string, unknown> = {}) => ({
  code: 'INVALID_TRANSITION' as const,
  message,
  details,
});

/** For `errors`: the refusal of a name or code that another resource of the kind has. */
export const taken = (field: 'name' | 'code', kind: string) => ({
  code: 'CONFLICT' as const,
  message: `${field} is already used by another ${kind}`,
  details: { reason: `${field.toUpperCase()}_TAKEN` },
});

/** For `errors`: the refusal to remove a resource of the kind that others use. */
export const inUse = (kind: string, usedBy: Record<string, number>) => ({
  code: 'CONFLICT' as const,
  message: `The ${kind} is in use: deactivate it instead`,
  details: { reason: 'IN_USE', usedBy },
});
