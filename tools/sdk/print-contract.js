import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { consoleDocument } from '../../scripts/console-document.ts';
import { sdkDocument } from '../../scripts/sdk-document.ts';

/**
 * Prints sdk/src/contract.ts from openapi/partner.json, console/contract.ts from openapi/operator.json and
 * console/portal/contract.ts from openapi/portal.json, console/crew/contract.ts from openapi/crew.json; with --check it only compares.
 */

const readDocument = (name) =>
  JSON.parse(readFileSync(new URL(`../../openapi/${name}.json`, import.meta.url), 'utf8'));

/** Callers may pass undefined for optional fields, also under exactOptionalPropertyTypes. */
function withUndefined(type) {
  if (!ts.isTypeLiteralNode(type)) return undefined;
  return ts.factory.updateTypeLiteralNode(
    type,
    ts.factory.createNodeArray(
      type.members.map((member) => {
        if (!ts.isPropertySignature(member) || !member.questionToken) return member;
        const nothing = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
        const optional = ts.factory.createUnionTypeNode([member.type, nothing]);
        return ts.factory.updatePropertySignature(
          member,
          member.modifiers,
          member.name,
          member.questionToken,
          optional,
        );
      }),
    ),
  );
}

/** Each schema as a named type: readers see `Booking`, not `components["schemas"]["Booking"]`. */
async function namedTypes(schemas) {
  const nodes = await openapiTS(
    { openapi: '3.1.0', info: { title: 'Types', version: '1' }, paths: {}, components: { schemas } },
    { defaultNonNullable: false, postTransform: withUndefined },
  );
  const components = nodes.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'components');
  const { type } = components.members.find(({ name }) => name.text === 'schemas');
  const named = type.members.map((member) => {
    const alias = ts.factory.createTypeAliasDeclaration(
      [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)],
      member.name.text,
      undefined,
      member.type,
    );
    return ts.setSyntheticLeadingComments(alias, ts.getSyntheticLeadingComments(member));
  });
  return astToString(named)
    .replace(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replace(/\/\*\* @constant \*\/\n\s*/g, '')
    .replace(/@description /g, '')
    .replace(/\n\s*\* @(?:enum \{\w+\}|constant)(?=\n)/g, '')
    .replace(/\/\*\*\n\s*\* ([^\n]*)\n\s*\*\//g, '/** $1 */')
    .replace(/\n(?=(?:\/\*\*|export type))/g, '\n\n')
    .replace(/(\*\/)\n\n(?=export)/g, '$1\n');
}

/** Closed lists that pages offer to choose from, by the property of a schema whose words they are. */
const LISTS = {
  operator: {
    ROLES: 'Me.role',
    STATUS_REASONS: 'UpdateAppointmentRequest.statusReason',
    OUTCOMES: 'CloseBookingRequest.outcome',
    EVENTS: 'ListDeliveriesQuery.event',
    MESSAGE_KINDS: 'Partner.customerMessages',
    MESSAGE_STATUSES: 'ListMessagesQuery.status',
    PRIVACY_KINDS: 'ListPrivacyRequestsQuery.kind',
    PRIVACY_KINDS_ENTERED: 'CreatePrivacyRequestRequest.kind',
    PRIVACY_STATUSES: 'ListPrivacyRequestsQuery.status',
    SERIES_STATUSES: 'ListSeriesQuery.status',
  },
  portal: { SCRIPTS: 'StartRunRequest.script', FAULT_KINDS: 'SetFaultRequest.kind' },
  crew: { REASONS: 'TakeCrewStepRequest.reason' },
};

function listOf(schemas, place) {
  const [schema, property] = place.split('.');
  const { items, enum: words = items?.enum } = schemas[schema]?.properties?.[property] ?? {};
  if (words === undefined) throw new Error(`${place} is no list of words`);
  return words.map((word) => `'${word}'`).join(', ');
}

const union = (values) => values.map((value) => `\n  | ${value}`).join('');

async function sdkContract() {
  const { operations, codes, events, schemas } = sdkDocument(readDocument('partner'));
  const rows = (row) => operations.map((operation) => `  '${operation.name}': ${row(operation)}`).join('\n');
  return `// Printed from openapi/partner.json by \`npm run generate\`; do not edit.

export type ErrorCode =${union(codes.map((code) => `'${code}'`))};

export type EventName =${union(events.map(({ event }) => `'${event}'`))};

/** A webhook: \`event\` determines the type of \`payload\`. */
export type WebhookEvent =${union(events.map(({ delivery }) => delivery))};

/** The input and the response of each operation. */
export type Operations = {
${rows(({ input, response }) => `{ input: ${input ?? 'undefined'}; response: ${response ?? '{ data: string }'} };`)}
};

/** The route of each operation, and the kind of its response. */
export const ROUTES = {
${rows(({ method, path, takes, answers }) => `{ method: '${method}', path: '${path}', takes: '${takes}', answers: '${answers}' },`)}
} as const;

${await namedTypes(schemas)}`;
}

/** The contract of an API's pages: `access` returns the required role or session of a route. */
async function pagesContract(name, about, access) {
  const { operations, codes, schemas } = consoleDocument(readDocument(name));
  const argumentsOf = ({ ids, query, queryRequired, body, bodyRequired }) => {
    const fields = [
      ...ids.map((id) => `${id}: string`),
      ...(query === null ? [] : [`query${queryRequired ? '' : '?'}: ${query}`]),
      ...(body === null ? [] : [`body${bodyRequired ? '' : '?'}: ${body}`]),
    ];
    return fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('; ')} }`;
  };
  const rows = (row) =>
    operations.map((operation) => `  ${operation.operationId}: ${row(operation)}`).join('\n');
  return `// Printed from openapi/${name}.json by \`npm run generate\`; do not edit.

export type ErrorCode =${union(codes.map((code) => `'${code}'`))};

/** The input and the response of each operation. */
export type Operations = {
${rows((operation) => `{ takes: ${argumentsOf(operation)}; response: ${operation.response} };`)}
};

/** ${about} */
export const ROUTES = {
${rows((operation) => `{ method: '${operation.method}', path: '${operation.path}'${access(operation)} },`)}
} as const;

${Object.entries(LISTS[name])
  .map(([list, place]) => `/** ${place} */\nexport const ${list} = [${listOf(schemas, place)}] as const;`)
  .join('\n')}

${await namedTypes(schemas)}`;
}

for (const [file, from, text] of [
  ['sdk/src/contract.ts', 'openapi/partner.json', await sdkContract()],
  [
    'console/contract.ts',
    'openapi/operator.json',
    await pagesContract(
      'operator',
      'The route of each operation, and the role that it requires.',
      ({ role }) => `, role: '${role}'`,
    ),
  ],
  [
    'console/portal/contract.ts',
    'openapi/portal.json',
    await pagesContract(
      'portal',
      'The route of each operation, and the session and permissions that it requires.',
      ({ session, permission }) => `, session: '${session}', permission: '${permission}'`,
    ),
  ],
  [
    'console/crew/contract.ts',
    'openapi/crew.json',
    await pagesContract('crew', 'The route of each operation.', () => ''),
  ],
]) {
  const contract = new URL(`../../${file}`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(contract, text);
  else if (readFileSync(contract, 'utf8') !== text) {
    console.error(`${file} is not what ${from} says: npm run generate`);
    process.exitCode = 1;
  }
}
