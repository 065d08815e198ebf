import { createHash, randomBytes } from 'node:crypto';

/** Tokens of links and sessions; only their hashes are stored. */

/** Beginnings of all credentials that are made here: masking knows them by these. */
export const CREDENTIALS = {
  sandboxKey: 'pbs_test_',
  productionKey: 'pbs_live_',
  operatorToken: 'pbs_operator_',
  operatorLink: 'pbs_signin_',
  operatorSession: 'pbs_console_',
  operatorBrowser: 'pbs_browser_',
  portalLink: 'pbs_link_',
  portalSession: 'pbs_portal_',
  crewLink: 'pbs_crew_',
  crewSession: 'pbs_crew_session_',
  webhookSecret: 'whsec_',
} as const;
export type CredentialPrefix = (typeof CREDENTIALS)[keyof typeof CREDENTIALS];

/** A new token of 256 bits after its prefix: the plain text, and the hash to store. */
export function newToken(prefix: CredentialPrefix): { token: string; hash: Buffer } {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}

/** The stored hash of a token. */
export const sha256 = (token: string): Buffer => createHash('sha256').update(token).digest();
