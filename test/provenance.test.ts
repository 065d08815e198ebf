import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** The provenance that `.ci/run` writes beside the bill of materials. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCRIPT = 'scripts/print-provenance.ts';

type Statement = {
  _type: string;
  subject: { name: string; digest: { sha256: string } }[];
  predicateType: string;
  predicate: {
    buildDefinition: {
      buildType: string;
      externalParameters: { commit: string };
      resolvedDependencies: { name: string; digest: Record<string, string> }[];
    };
    runDetails: { builder: { id: string }; metadata: { startedOn: string; finishedOn: string } };
  };
};

function print(args: readonly string[], env: Record<string, string> = {}): Statement {
  const options = { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  return JSON.parse(execFileSync(process.execPath, [SCRIPT, ...args], options));
}

/** Throws when coreutils sees another content. */
const check = (files: readonly (readonly [name: string, sha256: string | undefined])[]): string =>
  execFileSync('sha256sum', ['--check', '--strict'], {
    cwd: ROOT,
    encoding: 'utf8',
    input: files.map(([name, sha256]) => `${sha256}  ${name}\n`).join(''),
  });

test('the provenance names the released files with their content, the commit and the locked packages', () => {
  const { _type, subject, predicateType, predicate } = print(['LICENSE', '--started=2026-11-28T08:00:00Z']);
  assert.equal(_type, 'https://in-toto.io/Statement/v1');
  assert.equal(predicateType, 'https://slsa.dev/provenance/v1');
  const downloads = ['docs/downloads', 'sdk/released'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  );
  assert.deepEqual(subject.map(({ name }) => name).sort(), ['LICENSE', ...downloads].sort());
  check(subject.map(({ name, digest }) => [name, digest.sha256]));

  const { buildDefinition, runDetails } = predicate;
  const [source, lock] = buildDefinition.resolvedDependencies.toSorted((a, b) =>
    b.name.localeCompare(a.name),
  );
  check([['package-lock.json', (lock ?? source)!.digest.sha256]]);
  if (existsSync(join(ROOT, '.git'))) {
    const commit = execFileSync('git', ['-c', 'safe.directory=*', 'rev-parse', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    assert.equal(source!.digest.gitCommit, commit.trim());
    assert.equal(buildDefinition.externalParameters.commit, commit.trim());
  }
  assert.equal(runDetails.metadata.startedOn, '2026-11-28T08:00:00Z');
  assert.ok(Date.parse(runDetails.metadata.finishedOn) > Date.parse(runDetails.metadata.startedOn));
  for (const uri of [buildDefinition.buildType, runDetails.builder.id]) assert.ok(URL.canParse(uri), uri);
  const id = 'https://ci.example.sa/builders/1';
  assert.equal(print([], { BUILDER_ID: id }).predicate.runDetails.builder.id, id);
});

test('CI writes the bill of materials, then its provenance', () => {
  const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  const written = ci.indexOf(
    'npm sbom --sbom-format=cyclonedx --omit=dev --package-lock-only >sbom.cdx.json\n',
  );
  const described = ci.indexOf(`${SCRIPT} --started="$started" sbom.cdx.json >provenance.json\n`);
  assert.ok(written > 0 && described > written);
});
