import { createHash, randomBytes } from 'node:crypto';

/** Tokens of links and sessions; only their hashes are stored. */

/** A new token of 256 bits after its prefix: the plain text, and the hash to store. */
export function newToken(prefix: string): { token: string; hash: Buffer } {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}

/** The stored hash of a token. */
export const sha256 = (token: string): Buffer => createHash('sha256').update(token).digest();
