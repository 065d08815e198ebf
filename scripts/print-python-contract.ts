import { readFileSync, writeFileSync } from 'node:fs';
import {
  DONE_CODES,
  FIRST_PAUSE,
  LASTING,
  LONGEST_PAUSE,
  RATE_PAUSE,
  RATE_PAUSE_OF_FOLLOW,
  RATE_WINDOW,
  REPEATABLE,
} from '../sdk/src/retries.ts';
import {
  type OpenApi,
  type Schema,
  type SdkDocument,
  type SdkOperation,
  sdkDocument,
} from './sdk-document.ts';

/** Prints types, the retry table and both clients of the Python SDK; sdk/test/python-contract.test.ts compares them. */
const PACKAGE = new URL('../sdk-python/src/partner_booking/', import.meta.url);
const DOCUMENT = new URL('../openapi/partner.json', import.meta.url);
const HEAD = '# Printed from openapi/partner.json by `npm run generate`; do not edit.\n';

/** Reserved words of Python. */
const KEYWORDS = new Set(
  'and as async await class def del for from global if import in is not or pass with'.split(' '),
);

/** The printed files by their names. */
export function pythonFiles(document: OpenApi): Record<string, string> {
  const sdk = sdkDocument(document);
  return { 'contract.py': contractText(sdk), 'clients.py': clientsText(sdk) };
}

const string = (value: string): string => JSON.stringify(value);
const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function contractText({ schemas, codes, events, operations }: SdkDocument): string {
  const classes: string[] = [];

  /** Nested objects become classes, named after their path. */
  function typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum !== undefined) return literal(schema.enum);
    const parts = schema.anyOf ?? schema.oneOf;
    if (parts !== undefined) return parts.map((part) => typeOf(part, name)).join(' | ');
    if (schema.allOf !== undefined && schema.allOf.length === 1) return typeOf(schema.allOf[0]!, name);
    if (Array.isArray(schema.type))
      return schema.type.map((type) => typeOf({ ...schema, type }, name)).join(' | ');
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'array':
        return `list[${typeOf(schema.items ?? {}, `${name}Item`)}]`;
      case 'object':
        if (Object.keys(schema.properties ?? {}).length === 0) return 'dict[str, Any]';
        classOf(name, schema);
        return name;
      case undefined:
        if (Object.keys(schema).every((keyword) => keyword === 'description')) return 'Any';
        throw new Error(`${name} has a schema that cannot be printed for Python`);
      default:
        throw new Error(`${name} has the unknown type ${schema.type}`);
    }
  }

  function classOf(name: string, { properties = {}, required = [], description }: Schema): void {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = typeOf(schema, name + capital(field));
      return {
        field,
        type: required.includes(field) ? type : `NotRequired[${type}]`,
        about: schema.description,
      };
    });
    const about = description === undefined ? [] : [`    """${description.replaceAll('"""', "'''")}"""`, ''];
    const comment = (text: string | undefined): string[] =>
      text === undefined ? [] : text.split('\n').map((line) => `    # ${line}`.trimEnd());
    const named = fields.every(({ field }) => !KEYWORDS.has(field));
    const lines = named
      ? [
          `class ${name}(TypedDict):`,
          ...about,
          ...fields.flatMap((one) => [...comment(one.about), `    ${one.field}: ${one.type}`]),
        ]
      : [
          `${name} = TypedDict("${name}", {`,
          ...fields.flatMap((one) => [
            ...comment(one.about),
            `    ${string(one.field)}: ${string(one.type)},`,
          ]),
          '})',
        ];
    classes.push(lines.join('\n'));
  }

  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties !== undefined) classOf(name, schema);
    else classes.push(`${name} = ${typeOf(schema, name)}`);
  }
  const rows = (row: (operation: SdkOperation) => string): string =>
    operations.map((operation) => `    ${string(operation.name)}: ${row(operation)},`).join('\n');
  return `${HEAD}"""The types of the API, and which operations may be repeated."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, NotRequired, TypedDict, Union

ErrorCode = Literal[
${codes.map((code) => `    ${string(code)},`).join('\n')}
]


${classes.join('\n\n\n')}


# What a webhook brings: \`event\` tells what \`payload\` is.
WebhookEvent = Union[
${events.map(({ delivery }) => `    ${delivery},`).join('\n')}
]


class Route(NamedTuple):
    method: str
    path: str
    # What the input is; "nothing": there is none.
    takes: Literal["body", "query", "nothing"]
    # What it returns; "text": a file.
    answers: Literal["data", "page", "feed", "text", "file"]


ROUTES: Final[dict[str, Route]] = {
${rows(({ method, path, takes, answers }) => `Route(${[method, path, takes, answers].map(string).join(', ')})`)}
}

# May it be sent again when nobody knows whether the service did it?
REPEATABLE: Final[dict[str, Literal[${[...new Set(Object.values(REPEATABLE))].map(string).join(', ')}]]] = {
${rows(({ name }) => string((REPEATABLE as Record<string, string>)[name]!))}
}

# A repetition that is refused with one of these codes was done by the first attempt.
DONE_CODES: Final[dict[str, tuple[str, ...]]] = {
${Object.entries(DONE_CODES)
  .map(([name, done]) => `    ${string(name)}: (${done.map((code) => `${string(code)},`).join(' ')}),`)
  .join('\n')}
}

# Seconds.
FIRST_PAUSE: Final = ${FIRST_PAUSE / 1000}
LONGEST_PAUSE: Final = ${LONGEST_PAUSE / 1000}
RATE_WINDOW: Final = ${RATE_WINDOW / 1000}
RATE_PAUSE: Final = ${RATE_PAUSE / 1000}
RATE_PAUSE_OF_FOLLOW: Final = ${RATE_PAUSE_OF_FOLLOW / 1000}

# Reasons of BOOKING_CREATION_FAILED for which the same request is refused for ever.
LASTING_REASONS: Final = frozenset({${LASTING.map(string).join(', ')}})
`;
}

const literal = (values: unknown[]): string =>
  `Literal[${values.map((value) => (value === null ? 'None' : typeof value === 'boolean' ? capital(String(value)) : JSON.stringify(value))).join(', ')}]`;

/** The options of every method, as declared and as passed on. */
const OPTIONS = `        *,
        timeout: float | None = None,
        retries: int | None = None,
        request_id: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
        rate_limit_wait: float | None = None,`;
const PASSED = 'CallOptions(timeout, retries, request_id, api_key, headers, on_response, rate_limit_wait)';

function clientsText({ operations, schemas }: SdkDocument): string {
  const namespaces = [...new Set(operations.map(({ name }) => name.split('.').slice(0, -1).join('.')))];
  const texts = ['', 'Async'].flatMap((kind) => {
    const classes = namespaces.map((namespace) => {
      const methods = operations
        .filter(({ name }) => name.slice(0, name.lastIndexOf('.')) === namespace)
        .flatMap((operation) => methodsOf(operation, kind, schemas));
      return `class ${kind}${classNameOf(namespace)}(${kind}Resource):\n${methods.join('\n\n')}\n`;
    });
    const tops = namespaces.filter((namespace) => !namespace.includes('.'));
    const parents = [
      ...new Set(
        namespaces.filter((namespace) => namespace.includes('.')).map((name) => name.split('.')[0]!),
      ),
    ];
    const groups = parents.map((parent) => {
      const children = namespaces.filter((namespace) => namespace.startsWith(`${parent}.`));
      const lines = children.map(
        (child) => `        self.${child.split('.')[1]} = ${kind}${classNameOf(child)}(transport)`,
      );
      return `class ${kind}${capital(parent)}:\n    def __init__(self, transport: ${kind}Transport) -> None:\n${lines.join('\n')}\n`;
    });
    const fields = [...tops, ...parents]
      .sort()
      .map((name) => `        self.${name} = ${kind}${capital(name)}(self._transport)`);
    const client = `class ${kind}Client(${kind}BaseClient):
    """Every operation of the service for one key${kind === '' ? '' : ', with await'}. Sends nothing before the first call."""

    def _add_resources(self) -> None:
${fields.join('\n')}
`;
    return [...classes, ...groups, client];
  });
  return `${HEAD}"""The methods of both clients."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import List, cast, overload

from . import contract as c
from .core import CallOptions, FeedPage, Page, ResponseInfo
from .transport import AsyncBaseClient, AsyncResource, AsyncTransport, BaseClient, Resource, Transport


${texts.join('\n\n')}`;
}

const classNameOf = (namespace: string): string => namespace.split('.').map(capital).join('');

function methodsOf(operation: SdkOperation, kind: string, schemas: Record<string, Schema>): string[] {
  const { name, ids, input, inputRequired, takes, response, answers, conditional, summary, description } =
    operation;
  const method = snake(name.slice(name.lastIndexOf('.') + 1));
  const args = ids.map((id) => `        ${snake(id)}: str,\n`).join('');
  const given =
    input === null ? '' : `        ${takes}: c.${input}${inputRequired ? '' : ' | None = None'},\n`;
  const idList = `[${ids.map(snake).join(', ')}]`;
  const value = input === null ? 'None' : takes;
  // A file is bytes, and a text without its byte order mark.
  const data = response === null ? { type: 'string' } : schemas[response]!.properties!.data!;
  const result =
    answers === 'feed'
      ? 'FeedPage'
      : answers === 'page'
        ? `Page[c.${itemOf(data)}]`
        : response === null
          ? answers === 'file'
            ? 'bytes'
            : 'str'
          : dataType(data, response);
  const about = [`${summary}.`, '', ...description.split('\n')].map((line) => line.trim()).join('\n        ');
  const doc = `        """${about.trimEnd().replace(/\n +\n/g, '\n\n')}\n        """`;
  const [asyncDef, awaiting] = kind === '' ? ['def', ''] : ['async def', 'await '];
  const call = { data: 'call', page: 'page', feed: 'feed', text: 'text', file: 'call' }[answers];
  const passed = conditional ? PASSED.replace(')', ', if_none_match=if_none_match)') : PASSED;
  const sent = `${awaiting}self._transport.${call}(${string(name)}, ${idList}, ${value}, ${passed})`;
  const signature = (result: string, more = ''): string => `    ${asyncDef} ${method}(
        self,
${args}${given}${OPTIONS}${more}
    ) -> ${result}:`;
  const option = (type: string): string => `\n        if_none_match: ${type},`;
  const definition = conditional
    ? `    @overload
${signature(result, option('None = None'))} ...

    @overload
${signature(`${result} | None`, option('str'))} ...

${signature(`${result} | None`, option('str | None = None'))}
${doc.replace(/\n +"""$/, '\n\n        With `if_none_match`, the `ETag` of an earlier response: None while that one is current.\n        """')}
        return cast(${string(`${result} | None`)}, ${sent})`
    : `${signature(result)}
${doc}
        ${answers === 'feed' || answers === 'text' ? `return ${sent}` : `return cast(${string(result)}, ${sent})`}`;
  if (answers === 'data' || answers === 'file') return [definition];
  if (answers === 'text')
    return [
      definition,
      `${signature('bytes').replace(` ${method}(`, ` ${method}_bytes(`)}
        """The same for a file, with the byte order mark that Excel needs for Arabic."""
        return cast("bytes", ${sent.replace('_transport.text(', '_transport.call(')})`,
    ];

  const item = `c.${itemOf(data)}`;
  const iterator = `${kind}Iterator[${item}]`;
  const iterate = `    def iterate(
        self,
${args}${given}${OPTIONS}
    ) -> ${iterator}:
        """Every item of \`list\` from there on, through all pages; 100 on a page unless the query sets a limit."""
        return cast(${string(iterator)}, self._transport.iterate_${answers}(${string(name)}, ${idList}, ${value}, ${PASSED}))`;
  if (answers === 'page') return [definition, iterate];
  const none = kind === '' ? 'None' : 'Awaitable[None] | None';
  const follow = `    def follow(
        self,
${args}${given}${OPTIONS}
        poll_seconds: float = 5.0,
        on_cursor: Callable[[str], ${none}] | None = None,
    ) -> ${iterator}:
        """Every item of \`iterate\`, and wait for more at the end.

        \`on_cursor\` is called with the cursor of a page when all of its events were processed. Store it, and pass it as
        \`after\` to continue there after a restart.
        """
        return cast(
            ${string(iterator)},
            self._transport.follow(${string(name)}, ${value}, ${PASSED}, poll_seconds, on_cursor),
        )`;
  return [definition, iterate, follow];
}

const itemOf = (data: Schema): string => data.items!.$ref!.replace('#/components/schemas/', '');

function dataType(data: Schema, response: string): string {
  if (data.$ref !== undefined) return `c.${data.$ref.replace('#/components/schemas/', '')}`;
  return data.type === 'array' ? `List[c.${itemOf(data)}]` : `c.${response}Data`;
}

if (import.meta.main) {
  const files = pythonFiles(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, PACKAGE), text);
}
