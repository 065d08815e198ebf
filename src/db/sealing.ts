import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Secrets that the program must read again are encrypted in the database: AES-256-GCM under a key that the database
 * does not have (docs/decisions/secrets-at-rest.md). The row is authenticated with them, so that one secret cannot
 * replace another.
 */
export type Sealer = {
  /** `v1.<key>.<nonce and ciphertext and tag>`; `context` names the row: `webhook-secret:<id>`. */
  seal(plain: string, context: string): string;
  /** Throws SealError when no key fits, the context differs, or the text was changed. */
  open(sealed: string, context: string): string;
  /** Whether it is sealed under the current key. */
  isCurrent(sealed: string): boolean;
  /** 24 bytes in base64url, derived from the context: by each key, the current one first. */
  derive(context: string): string[];
  /** Fingerprints of the keys, the current one first. */
  keys: readonly string[];
};

export class SealError extends Error {
  override readonly name = 'SealError';
}

/** The plain text; null: no key opens it. */
export function openOrNull(sealer: Sealer, sealed: string, context: string): string | null {
  try {
    return sealer.open(sealed, context);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** The configured keys are not those of the database's secrets. The message says what to do. */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError';
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DERIVED_BYTES = 24;
export const KEY_BYTES = 32;

/** Seals under the first key and opens with each of them: a key that is being replaced comes second. */
export function createSealer(keys: readonly [Buffer, ...Buffer[]]): Sealer {
  const known = new Map(keys.map((key) => [fingerprint(key), key]));
  const current = fingerprint(keys[0]);
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys[0], nonce).setAAD(Buffer.from(context));
      const sealed = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${VERSION}.${current}.${Buffer.concat(sealed).toString('base64url')}`;
    },
    open(sealed, context) {
      const [version, name, text] = sealed.split('.');
      if (version !== VERSION || name === undefined || text === undefined)
        throw new SealError('a secret in the database is not in the form this program writes');
      const key = known.get(name);
      if (key === undefined)
        throw new SealError(
          `a secret in the database is under the key ${name}, which is neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS`,
        );
      try {
        const bytes = Buffer.from(text, 'base64url');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
        return plain + decipher.final('utf8');
      } catch (cause) {
        throw new SealError('a secret in the database was changed, or belongs to another row', { cause });
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${VERSION}.${current}.`),
    derive: (context) =>
      keys.map((key) =>
        Buffer.from(hkdfSync('sha256', key, '', context, DERIVED_BYTES)).toString('base64url'),
      ),
    keys: [...known.keys()],
  };
}

/** Whether it is sealed; older versions stored plain text. */
export const isSealed = (stored: string): boolean => stored.startsWith(`${VERSION}.`);

/** Identifies a key without revealing it. */
function fingerprint(key: Buffer): string {
  return createHash('sha256').update('partner-booking secrets key').update(key).digest('hex').slice(0, 8);
}
