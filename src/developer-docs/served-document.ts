import { readFile } from 'node:fs/promises';
import type { App } from '../http/edge.ts';

/**
 * The OpenAPI documents as this process serves them: the committed documents without features that are off here. So a
 * page that shows them offers nothing that would be refused as unknown.
 */
export const DOCUMENTS = {
  partner: { file: 'openapi/partner.json', prefix: '/v1' },
  operator: { file: 'openapi/operator.json', prefix: '/operator' },
};

type Json = Record<string, unknown>;
type Parameter = { name: string; required?: boolean; schema?: { enum?: unknown[] }; examples?: Json };
type Operation = { parameters?: Parameter[]; responses: Json };
type Document = {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation & { tags: string[] }>>;
  webhooks?: Record<string, Record<string, { tags: string[] }>>;
  components: Record<string, Json>;
};

export type Switches = {
  deployment: 'sandbox' | 'production';
  idempotency: boolean;
  sandboxDomainCheck: boolean;
};

/** Returns the document, without the operations that have no route in `app`. */
export async function servedDocument(
  app: App,
  side: keyof typeof DOCUMENTS,
  switches: Switches,
): Promise<Document> {
  const { file, prefix } = DOCUMENTS[side];
  const document: Document = JSON.parse(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8'));
  const hasRoute = (method: string, path: string): boolean =>
    app.hasRoute({ method: method.toUpperCase(), url: prefix + path.replaceAll(/\{(\w+)\}/g, ':$1') });
  return withoutUnused(withoutNames(withoutRoutes(document, hasRoute), namesOff(switches)));
}

/**
 * The document for Scalar. Of an enum Scalar sends the first value, also for optional parameters, and a filter for the
 * first status empties most lists: such parameters are marked as not to be sent.
 */
export function forScalar(document: Document): Document {
  const marked = structuredClone(document);
  for (const { parameters = [] } of Object.values(marked.paths).flatMap((methods) =>
    Object.values(methods),
  )) {
    for (const parameter of parameters) {
      const [value] = parameter.schema?.enum ?? [];
      if (value === undefined || parameter.required) continue;
      parameter.examples = { default: { value, 'x-disabled': true } };
    }
  }
  return marked;
}

/** Codes and headers of features that are off. */
function namesOff({ deployment, idempotency, sandboxDomainCheck }: Switches): ReadonlySet<string> {
  return new Set([
    ...(idempotency
      ? []
      : [
          'Idempotency-Key',
          'Idempotent-Replayed',
          'IDEMPOTENCY_KEY_CONFLICT',
          'IDEMPOTENCY_KEY_IN_PROGRESS',
        ]),
    ...(sandboxDomainCheck ? [] : ['SANDBOX_DOMAIN_NOT_ALLOWED']),
    ...(deployment === 'sandbox' ? [] : ['X-Sandbox-Run', 'X-Sandbox-Fault']),
  ]);
}

/** The document with those operations only, and their tags. */
function withoutRoutes(document: Document, has: (method: string, path: string) => boolean): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) => {
      const kept = Object.entries(methods).filter(([method]) => has(method, path));
      return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]];
    }),
  );
  const operations = [...Object.values(paths), ...Object.values(document.webhooks ?? {})].flatMap((methods) =>
    Object.values(methods),
  );
  const used = new Set(operations.flatMap(({ tags }) => tags));
  return { ...document, paths, tags: document.tags.filter(({ name }) => used.has(name)) };
}

/**
 * The document without parameters, headers, codes and examples of these names; a response without a code is removed.
 */
function withoutNames(document: Document, names: ReadonlySet<string>): Document {
  // The second example of a code has a number appended.
  const isOff = (name: unknown): boolean => typeof name === 'string' && names.has(name.replace(/_\d+$/, ''));
  const kept = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value
        .filter((item) => !isOff(item) && !isOff((item as { name?: unknown } | null)?.name))
        .map(kept);
    }
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, member]) => !isOff(key) && !isEmptied(member))
        .map(([key, member]) => [key, kept(member)]),
    );
  };
  /** A response all of whose examples have removed codes. */
  const isEmptied = (member: unknown): boolean => {
    const media = (member as { content?: Record<string, { examples?: Json }> } | null)?.content;
    const examples = Object.keys(media?.['application/json']?.examples ?? {});
    return examples.length > 0 && examples.every(isOff);
  };
  return kept(document) as Document;
}

/** The document with referenced components only. */
function withoutUnused(document: Document): Document {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    JSON.stringify(value, (_key, member) => {
      const reference = (member as { $ref?: string } | null)?.$ref;
      if (reference === undefined || used.has(reference)) return member;
      used.add(reference);
      const [kind = '', name = ''] = reference.replace('#/components/', '').split('/');
      follow(components[kind]?.[name]);
      return member;
    });
  };
  follow(rest);
  const kept = Object.entries(components).map(([kind, members]): [string, Json] => [
    kind,
    kind === 'securitySchemes'
      ? members
      : Object.fromEntries(
          Object.entries(members).filter(([name]) => used.has(`#/components/${kind}/${name}`)),
        ),
  ]);
  return { ...rest, components: Object.fromEntries(kept) };
}
