import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { App } from './edge.ts';
import { namesTag, tagOf } from './if-none-match.ts';

/** Content that is the same for every reader until the next deployment: files, and pages rendered from them. */
export type StaticContent = {
  type: string;
  /** The value of `Cache-Control`. */
  caching: string;
  /** Additional headers. */
  headers?: Record<string, string>;
  /** An archive, sent without content coding: some clients that save one do not decode it. */
  uncompressed?: boolean;
  load: () => Promise<Buffer | string>;
};

type Encoding = 'br' | 'gzip' | 'identity';
type Variant = { body: Buffer; etag: string };

/** In order of preference, for clients that accept several equally. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** Cached briefly, then revalidated, mostly with 304. */
export const SHORT_CACHING = 'public, max-age=300, must-revalidate';
/** For versioned addresses: their content never changes. */
export const ENDLESS_CACHING = 'public, max-age=31536000, immutable';

/** Higher qualities of brotli take far longer for little less size. */
const BROTLI_QUALITY = 9;

const compressors: Record<Encoding, (body: Buffer) => Promise<Buffer> | Buffer> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => promisify(gzip)(body),
  identity: (body) => body,
};

/** Sends a content. */
export type StaticHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** A GET route of a content. */
export function staticRoute(app: App, url: string, content: StaticContent): void {
  app.get(url, staticHandler(content));
}

/**
 * A handler for a content. Loads it with the first request, and keeps each requested encoding in memory. A failed load
 * is a 500, and the next request tries again.
 */
export function staticHandler(content: StaticContent): StaticHandler {
  const variants = new Map<Encoding, Promise<Variant>>();
  const variantOf = (encoding: Encoding): Promise<Variant> => {
    const known = variants.get(encoding);
    if (known !== undefined) return known;
    const made = makeVariant(content, encoding);
    variants.set(encoding, made);
    made.catch(() => variants.delete(encoding));
    return made;
  };
  return async (request, reply) => {
    const encoding = content.uncompressed ? 'identity' : chooseEncoding(request.headers['accept-encoding']);
    const { body, etag } = await variantOf(encoding);
    reply.headers({
      'cache-control': content.caching,
      vary: 'accept-encoding',
      etag,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      ...content.headers,
    });
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(content.type).send(body);
  };
}

async function makeVariant({ load }: StaticContent, encoding: Encoding): Promise<Variant> {
  const plain = Buffer.from(await load());
  return { body: await compressors[encoding](plain), etag: tagOf(plain, `-${encoding}`) };
}

/** The encoding that `Accept-Encoding` prefers, of equal ones our first; `identity` when it accepts none. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  // The published types lack the second argument.
  const encodings: (available: string[], options: { preferred: string[] }) => string[] =
    negotiator.encodings.bind(negotiator);
  const [best = 'identity'] = encodings([...ENCODINGS], { preferred: [...ENCODINGS] });
  return best as Encoding;
}
