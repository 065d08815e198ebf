import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The sources of a schema: numbered migrations, then functions and triggers of the slices (functions.ts). */
export type SchemaSources = {
  /** A folder of migrations. */
  migrations: string;
  /** A folder of slices. */
  slices: string;
  /** The version of this program. */
  release: string;
};

/** The absolute path of a path in the project. */
export const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const ownSources = (): SchemaSources => ({
  migrations: inProject('migrations'),
  slices: inProject('src'),
  release: JSON.parse(readFileSync(inProject('package.json'), 'utf8')).version,
});
