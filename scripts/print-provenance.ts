import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCommit } from '../src/base/build.ts';

/**
 * Prints the provenance of a release's files (SLSA 1.0, an in-toto statement): what was built from which commit, with which
 * locked packages, by whom and when. `node scripts/print-provenance.ts --started=2026-11-28T08:00:00Z sbom.cdx.json`;
 * `BUILDER_ID` is the URI of the builder. Unsigned: it is signed at the release.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Folders of files that partners download. */
const DOWNLOADS = ['docs/downloads', 'sdk/released'];
/** No resolvable addresses: the builder of `.ci/run` is not known here. */
const BUILD_TYPE = 'tag:partner-booking.example.sa,2026:ci-run';
const UNNAMED_BUILDER = 'tag:partner-booking.example.sa,2026:unnamed-builder';

type File = { name: string; digest: { sha256: string } };

function fileOf(name: string): File {
  return {
    name,
    digest: {
      sha256: createHash('sha256')
        .update(readFileSync(join(ROOT, name)))
        .digest('hex'),
    },
  };
}

/** The statement about the files (paths from the root of the repository) and the downloads. */
function provenance(files: readonly string[], times: { startedOn: string; finishedOn: string }): object {
  const commit = readCommit();
  const downloads = DOWNLOADS.flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  );
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files, ...downloads.sort()].map(fileOf),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { commit, command: '.ci/run' },
        internalParameters: { node: process.version, platform: process.platform, architecture: process.arch },
        resolvedDependencies: [
          ...(commit === '' ? [] : [{ name: 'partner-booking', digest: { gitCommit: commit } }]),
          fileOf('package-lock.json'),
        ],
      },
      runDetails: { builder: { id: process.env.BUILDER_ID || UNNAMED_BUILDER }, metadata: times },
    },
  };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { started: { type: 'string' } },
  });
  const finishedOn = new Date().toISOString();
  const statement = provenance(positionals, { startedOn: values.started ?? finishedOn, finishedOn });
  console.log(JSON.stringify(statement, null, 2));
}
