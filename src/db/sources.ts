import { fileURLToPath } from 'node:url';
import { readBuild } from '../base/build.ts';

/** The sources of a schema: numbered migrations, then functions and triggers of the slices (functions.ts). */
export type SchemaSources = {
  /** A folder of migrations. */
  migrations: string;
  /** A folder of slices. */
  slices: string;
  /** This build: its version, and its commit after a `+`. */
  release: string;
};

/** The absolute path of a path in the project. */
export const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const ownSources = (): SchemaSources => ({
  migrations: inProject('migrations'),
  slices: inProject('src'),
  release: readBuild(),
});
