import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

const TRUE = ['true', '1', 'on', 'yes'];
const FALSE = ['false', '0', 'off', 'no'];

export type Variables<Name extends string> = ReturnType<typeof readVariables<Name>>;

/**
 * Readers of variables by kind; a variable that is not set is null or the fallback. `bad` adds to `problems`, the wrong
 * values so far; `read` has the names of the variables that were read. `files` has those that are not in the environment.
 */
export function readVariables<Name extends string>(env: Environment, files: Environment = {}) {
  const problems: string[] = [];
  const read = new Set<string>();
  const text = (name: Name): string | null => {
    read.add(name);
    return env[name]?.trim() || files[name]?.trim() || null;
  };
  const bad = (name: Name, wanted: string): void => {
    // Values may hold passwords: only the harmless kinds are quoted.
    problems.push(`${name} must be ${wanted}${isQuoted(text(name)) ? ', without quotes around it' : ''}`);
  };

  function integer(name: Name, min: number, max: number): number | null {
    const value = text(name);
    if (value === null) return null;
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    bad(name, `a whole number from ${min} to ${max}, not "${value}"`);
    return null;
  }
  /** A number of seconds, in milliseconds. */
  const seconds = (name: Name, fallback: number): number => (integer(name, 1, 3600) ?? fallback) * 1000;
  function flag(name: Name, fallback: boolean): boolean {
    const value = text(name)?.toLowerCase();
    if (value === undefined) return fallback;
    if (TRUE.includes(value)) return true;
    if (!FALSE.includes(value)) bad(name, `true or false (on or off), not "${value}"`);
    return false;
  }
  function choice<T extends string>(name: Name, choices: readonly T[], fallback: T): T {
    const value = text(name)?.toLowerCase();
    if (value === undefined) return fallback;
    const found = choices.find((known) => known === value);
    if (found === undefined) bad(name, `one of ${choices.join(', ')}, not "${value}"`);
    return found ?? fallback;
  }
  function url(name: Name, protocols: readonly string[]): string | null {
    const value = text(name);
    if (value === null) return null;
    if (!protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`)))
      bad(name, `a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    else if (!hasUnambiguousCredentials(value))
      bad(name, 'a valid URL; special characters of a user or password are percent-encoded (# is %23)');
    else return value;
    return null;
  }
  function token(name: Name): string | null {
    const value = text(name);
    if (value === null) return null;
    // A header allows nothing else, and a blank ends the token.
    if (!/^[!-~]+$/.test(value)) bad(name, 'visible ASCII characters without blanks: openssl rand -hex 32');
    else if (value.length < 16) bad(name, 'at least 16 characters long');
    return value;
  }
  function list(name: Name): string[] {
    return (text(name) ?? '').split(',').flatMap((item) => item.trim() || []);
  }

  function key(name: Name): Buffer | null {
    const value = text(name);
    if (value === null) return null;
    if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
    if (/^[A-Za-z0-9+/_-]{43}=?$/.test(value)) return Buffer.from(value, 'base64');
    bad(name, '32 bytes, as 64 hexadecimal digits or in base64: openssl rand -hex 32');
    return null;
  }

  function baseUrl(name: Name): { baseUrl?: string } {
    const value = url(name, ['http:', 'https:']);
    return value === null ? {} : { baseUrl: value.replace(/\/+$/, '') };
  }

  return { problems, read, bad, text, integer, seconds, flag, choice, url, token, list, key, baseUrl };
}

/**
 * The secrets that are files: one that is not set itself is read from the file that its name with `_FILE` names, else from
 * the credentials of systemd (`LoadCredential=`). `faults`: what cannot be read.
 */
export function readSecretFiles(given: Environment, secrets: readonly string[]) {
  const files: Record<string, string> = {};
  const faults: string[] = [];
  const isSet = (name: string): boolean => (given[name] ?? '').trim() !== '';
  for (const name of secrets) {
    const fileName = `${name}_FILE`;
    if (isSet(name) && isSet(fileName)) faults.push(`${fileName} must be unset when ${name} is set`);
    if (isSet(name) || !(isSet(fileName) || isSet('CREDENTIALS_DIRECTORY'))) continue;
    const file = isSet(fileName) ? given[fileName]! : join(given.CREDENTIALS_DIRECTORY!, name);
    try {
      files[name] = readFileSync(file.trim(), 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (isSet(fileName) || code !== 'ENOENT')
        faults.push(`${fileName} must be a file that can be read (${code})`);
    }
  }
  return { files, faults };
}

/**
 * Whether a URL has no part of the password in its port, path or fragment. Encoded characters are fine. Paths of web
 * servers may have an @.
 */
function hasUnambiguousCredentials(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(value);
  if (/%(?![0-9a-f]{2})/i.test(username + password)) return false;
  return /^https?:$/.test(protocol) || !(pathname + search + hash).includes('@');
}

/** `docker run --env-file` keeps quotes as a part of the value; systemd, Compose and shells do not. */
export const isQuoted = (value: string | null): boolean => value !== null && /^(["']).*\1$/s.test(value);
