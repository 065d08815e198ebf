/**
 * The parts of openapi/partner.json that SDKs need, in any language: the operations under their names in clients, the
 * codes, and every schema that they reference. Queries and bare responses become schemas too, so that each has a name.
 */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
};
type Content = { content?: Record<string, { schema: Schema }> };
type Response = Content & { $ref?: string };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Response>;
};
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Response> };
};

/** One method of a client. */
export type SdkOperation = {
  /** Its name in clients: `bookings.create`. */
  name: string;
  method: string;
  path: string;
  /** The ids in the path, in order. */
  ids: string[];
  takes: 'body' | 'query' | 'nothing';
  /** The schema of the body or the query; null: neither. */
  input: string | null;
  inputRequired: boolean;
  /** The schema of the response, envelope included; null: a text. */
  response: string | null;
  /** `text`: a file that is also read as a text. */
  answers: 'data' | 'page' | 'feed' | 'text' | 'file';
  /** Whether it responds with 304 to If-None-Match. */
  conditional: boolean;
  summary: string;
  description: string;
};

export type SdkDocument = {
  operations: SdkOperation[];
  /** The codes of errors, sorted. */
  codes: string[];
  /** Each event with the schema of its delivery. */
  events: { event: string; delivery: string }[];
  /** By name, sorted, only referenced ones. */
  schemas: Record<string, Schema>;
};

/** The name of each operation in a client. An operation without one cannot be printed. */
export const NAMES: Record<string, string> = {
  findOrCreateContact: 'contacts.findOrCreate',
  getContact: 'contacts.get',
  updateContact: 'contacts.update',
  updateAddress: 'contacts.updateAddress',
  exportContact: 'contacts.export',
  eraseContact: 'contacts.erase',
  listServices: 'services.list',
  getService: 'services.get',
  getCoverage: 'coverage.get',
  listAvailableTimeslots: 'timeslots.list',
  getTimeslotCalendar: 'timeslots.calendar',
  findNextTimeslots: 'timeslots.next',
  createHold: 'holds.create',
  listOwnHolds: 'holds.list',
  getHold: 'holds.get',
  extendHold: 'holds.extend',
  releaseHold: 'holds.release',
  createBooking: 'bookings.create',
  getBookingStatus: 'bookings.get',
  listBookings: 'bookings.list',
  exportBookings: 'bookings.export',
  getBookingQuote: 'bookings.quote',
  updateBooking: 'bookings.update',
  cancelBooking: 'bookings.cancel',
  confirmPayment: 'bookings.confirmPayment',
  listCancellationReasons: 'bookings.listCancellationReasons',
  listPricingTiers: 'pricing.listTiers',
  calculatePrice: 'pricing.calculate',
  createSeries: 'series.create',
  listSeries: 'series.list',
  getSeries: 'series.get',
  updateSeries: 'series.update',
  placeSeriesVisit: 'series.place',
  skipSeriesVisit: 'series.skip',
  pauseSeries: 'series.pause',
  endSeries: 'series.end',
  listStatements: 'statements.list',
  getStatement: 'statements.get',
  downloadStatementLines: 'statements.lines',
  downloadStatementInvoices: 'statements.invoices',
  downloadStatementPage: 'statements.page',
  listEvents: 'events.list',
  createWebhookSubscription: 'webhooks.subscriptions.create',
  getWebhookSubscription: 'webhooks.subscriptions.get',
  listWebhookSubscriptions: 'webhooks.subscriptions.list',
  updateWebhookSubscription: 'webhooks.subscriptions.update',
  removeWebhookSubscription: 'webhooks.subscriptions.remove',
  rotateWebhookSecret: 'webhooks.subscriptions.rotateSecret',
  testWebhookSubscription: 'webhooks.subscriptions.test',
  recoverWebhookSubscription: 'webhooks.subscriptions.recover',
  listWebhookDeliveries: 'webhooks.deliveries.list',
  getWebhookDelivery: 'webhooks.deliveries.get',
  retryWebhookDelivery: 'webhooks.deliveries.retry',
  replayWebhookDelivery: 'webhooks.deliveries.replay',
  advanceSandboxBooking: 'sandbox.bookings.advance',
  startSandboxRun: 'sandbox.bookings.startRun',
  listSandboxRuns: 'sandbox.bookings.listRuns',
  getSandboxRun: 'sandbox.bookings.getRun',
  stopSandboxRun: 'sandbox.bookings.stopRun',
  setSandboxFault: 'sandbox.webhooks.setFault',
  listSandboxFaults: 'sandbox.webhooks.listFaults',
  clearSandboxFaults: 'sandbox.webhooks.clearFaults',
  startCertification: 'sandbox.certifications.start',
  getCertification: 'sandbox.certifications.get',
};

/** Keywords about the form of a value, not its type. */
const LOOKS = new Set(
  (
    'title example examples default format pattern minLength maxLength minimum maximum exclusiveMinimum ' +
    'exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties deprecated discriminator'
  ).split(' '),
);

/** Throws where the SDKs would be wrong. */
export function sdkDocument({ paths, webhooks, components }: OpenApi): SdkDocument {
  const all: Record<string, Schema> = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, withoutExamples(schema)]),
  );
  function named(name: string, schema: Schema): string {
    if (schema.$ref !== undefined) return nameOf(schema.$ref);
    if (all[name] !== undefined) throw new Error(`${name} is a schema of the document already`);
    all[name] = withoutExamples(schema);
    return name;
  }

  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => read(method.toUpperCase(), path, operation)),
  );
  operations.sort((one, other) => (one.name < other.name ? -1 : 1));

  function read(method: string, path: string, operation: Operation): SdkOperation {
    const { operationId, summary, description = '' } = operation;
    const name = NAMES[operationId];
    if (name === undefined) throw new Error(`${operationId} has no name in scripts/sdk-document.ts`);
    const prefix = operationId[0]!.toUpperCase() + operationId.slice(1);
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const body = jsonOf(operation.requestBody ?? {});
    const bodyFields = body === null ? [] : Object.keys(resolve(body).properties ?? {});
    if (query.length > 0 && bodyFields.length > 0)
      throw new Error(`${operationId}: a body and a query are too much`);
    const byCursor = query.some((parameter) => parameter.name === 'after');
    const { response, answers } = answerOf(operation, `${prefix}Response`, byCursor);
    const rest = {
      name,
      method,
      path,
      ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!),
      response,
      answers,
      conditional: operation.responses['304'] !== undefined,
      summary,
      description,
    };
    if (query.length > 0) {
      const required = query.filter((parameter) => parameter.required).map((parameter) => parameter.name);
      const properties = Object.fromEntries(
        query.map(({ name: field, description: about, schema }) => [
          field,
          { ...schema, ...(about && { description: about }) },
        ]),
      );
      const input = named(`${prefix}Query`, {
        type: 'object',
        properties,
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      });
      return { ...rest, takes: 'query', input, inputRequired: required.length > 0 };
    }
    if (bodyFields.length === 0) return { ...rest, takes: 'nothing', input: null, inputRequired: false };
    // An empty change is a mistake; a confirmation without a reference is not.
    const inputRequired = method !== 'POST' || (resolve(body!).required ?? []).length > 0;
    return { ...rest, takes: 'body', input: named(`${prefix}Request`, body!), inputRequired };
  }

  function answerOf(
    { operationId, responses }: Operation,
    name: string,
    byCursor: boolean,
  ): Pick<SdkOperation, 'response' | 'answers'> {
    const { content = {} } = responses['200'] ?? {};
    const success = jsonOf({ content });
    // A file, as it is.
    const isFile =
      success === null ? Object.keys(content).length > 0 : resolve(success).properties?.success === undefined;
    if (isFile) return { response: null, answers: operationId === 'exportBookings' ? 'text' : 'file' };
    if (success === null) throw new Error(`${operationId} has no answer`);
    const response = named(name, success);
    const { data, meta } = all[response]?.properties ?? {};
    if (data === undefined) throw new Error(`${operationId}: its answer is in no envelope`);
    const isPage = meta !== undefined && resolve(meta).properties?.totalPages !== undefined;
    return { response, answers: byCursor ? 'feed' : isPage ? 'page' : 'data' };
  }

  function resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = all[nameOf(schema.$ref)];
    if (found === undefined) throw new Error(`${schema.$ref} is not in the document`);
    return found;
  }

  const events = Object.entries(webhooks).map(([event, { post }]) => {
    const delivery = jsonOf(post.requestBody ?? {});
    if (delivery?.$ref === undefined) throw new Error(`the delivery of ${event} has no name`);
    return { event, delivery: nameOf(delivery.$ref) };
  });

  const wanted = new Set<string>(['ErrorDetails', ...events.map(({ delivery }) => delivery)]);
  for (const { input, response } of operations) {
    if (response !== null) wanted.add(response);
    if (input !== null) wanted.add(input);
  }
  // Iterating a growing set: it adds the schemas that these reference.
  for (const name of wanted)
    for (const ref of refsIn(resolve({ $ref: `#/components/schemas/${name}` }))) wanted.add(ref);
  const schemas = Object.fromEntries([...wanted].sort().map((name) => [name, all[name]!]));
  return { operations, codes: codesOf({ paths, webhooks, components }), events, schemas };
}

export const nameOf = (ref: string): string => ref.replace('#/components/schemas/', '');

export function jsonOf({ content }: Content): Schema | null {
  return content?.['application/json']?.schema ?? null;
}

/** The schema without examples and limits. */
export function withoutExamples(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => !LOOKS.has(keyword) && !keyword.startsWith('x-'));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === 'properties')
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value as object).map(([name, one]) => [name, withoutExamples(one)]),
          ),
        ];
      if (keyword === 'items' || (keyword === 'additionalProperties' && typeof value === 'object'))
        return [keyword, withoutExamples(value as Schema)];
      if (['allOf', 'anyOf', 'oneOf'].includes(keyword))
        return [keyword, (value as Schema[]).map(withoutExamples)];
      return [keyword, value];
    }),
  );
}

/** The names of the schemas that a schema references. */
export function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === '$ref' && typeof one === 'string' ? [nameOf(one)] : refsIn(one),
  );
}

/** Every code of an operation's errors, sorted. */
export function codesOf({ paths, components }: OpenApi): string[] {
  const codes = new Set<string>();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const [status, response] of operations.flatMap(({ responses }) => Object.entries(responses))) {
    if (Number(status) < 400) continue;
    const name = response.$ref?.replace('#/components/responses/', '');
    const schema = jsonOf(name === undefined ? response : (components.responses?.[name] ?? {}));
    const found = schema === null ? [] : codesIn(schema, components.schemas);
    if (found.length === 0) throw new Error(`a response ${status} names no code`);
    for (const code of found) codes.add(code);
  }
  return [...codes].sort();
}

/** The values of `error.code`, anywhere in the schema. */
function codesIn(schema: Schema, schemas: Record<string, Schema>): string[] {
  const parts = (one: Schema | undefined): Schema[] => {
    if (one === undefined) return [];
    const referred = one.$ref === undefined ? undefined : schemas[nameOf(one.$ref)];
    const inner = [referred, ...(one.allOf ?? []), ...(one.anyOf ?? []), ...(one.oneOf ?? [])];
    return [one, ...inner.flatMap(parts)];
  };
  const property = (all: Schema[], name: string): Schema[] =>
    all.flatMap((one) => parts(one.properties?.[name]));
  const codes = property(property(parts(schema), 'error'), 'code');
  return codes.flatMap((code) => code.enum ?? (code.const === undefined ? [] : [code.const])).map(String);
}
