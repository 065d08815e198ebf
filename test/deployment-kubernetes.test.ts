import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { parseConfig } from '../src/program/config.ts';
import { GIVEN, pathOf, ROOT, readDeploy } from './deploy-files.ts';

/** The manifests of Kubernetes, beside the service and by its own schemas. */

// biome-ignore lint/suspicious/noExplicitAny: manifests are looked into freely
type Manifest = any;

const manifests: Manifest[] = readdirSync(pathOf('kubernetes'))
  .sort()
  .flatMap((name) =>
    parseAllDocuments(readDeploy(`kubernetes/${name}`), { strict: true }).map((document) => {
      assert.deepEqual(document.errors, [], name);
      return document.toJS();
    }),
  );
const named = (kind: string, name = 'partner-booking'): Manifest => {
  const found = manifests.filter((one) => one.kind === kind && one.metadata.name === name);
  assert.equal(found.length, 1, `${kind} ${name}`);
  return found[0];
};

const podMonitor: Manifest = parseAllDocuments(readDeploy('monitoring/podmonitor.yaml'))[0]!.toJS();
const isOf =
  (name: string) =>
  ({ port }: { port: string }): boolean =>
    port === name;

test('the deployments: roles, ports, probes, time-outs of a stop, and existing variables', () => {
  const shown = named('Secret').stringData;
  assert.throws(() => parseConfig({ ...shown }), /SECRETS_KEY must be 32 bytes/, 'no key that all know');
  assert.throws(() => parseConfig({ ...shown }), /OPERATOR_TOKEN must be replaced/, 'nor such a token');
  const given = { SECRETS_KEY: GIVEN.SECRETS_KEY, OPERATOR_TOKEN: GIVEN.OPERATOR_TOKEN };
  const shared = { ...named('ConfigMap').data, ...shown, ...given };
  const ports = { api: ['port', 'operatorPort'], worker: ['workerPort'] } as const;
  for (const role of ['api', 'worker'] as const) {
    const { spec } = named('Deployment', `partner-booking-${role}`);
    const pod = spec.template.spec;
    const [container] = pod.containers;
    const own = Object.fromEntries(
      container.env.map((one: { name: string; value: string }) => [one.name, one.value]),
    );
    const read = new Set<string>();
    const config = parseConfig(
      new Proxy(
        { ...shared, ...own },
        {
          get(env, name) {
            read.add(String(name));
            return env[String(name)];
          },
        },
      ),
    );
    for (const name of Object.keys({ ...shared, ...own }))
      assert.ok(read.has(name), `${name} is no variable`);
    assert.deepEqual([[...config.roles], config.host, config.deployment], [[role], '0.0.0.0', 'production']);
    const opened: { name: string; containerPort: number }[] = container.ports;
    assert.deepEqual(
      opened.map((port) => port.containerPort),
      ports[role].map((name) => config[name]),
    );
    const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].map((name) => container[name].httpGet);
    assert.deepEqual(
      probes.map(({ path }) => path),
      ['/livez', '/readyz', '/livez'],
    );
    for (const { port } of probes) assert.ok(opened.some(({ name }) => name === port));
    assert.ok(pod.terminationGracePeriodSeconds > 30);
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    assert.deepEqual(named('PodDisruptionBudget', `partner-booking-${role}`).spec.selector, spec.selector);
    const scraped = opened.filter(({ name }) => podMonitor.spec.podMetricsEndpoints.some(isOf(name)));
    assert.deepEqual(
      scraped.map((port) => port.containerPort),
      [config.operatorPort ?? config.workerPort],
    );
    const { labels } = spec.template.metadata;
    const [spread] = pod.topologySpreadConstraints;
    assert.deepEqual(spread.labelSelector, spec.selector, 'over nodes');
    assert.equal(labels[podMonitor.spec.jobLabel], 'partner-booking', 'the job of the rules');
    assert.partialDeepStrictEqual(labels, podMonitor.spec.selector.matchLabels);
  }
});

test("services reach the pods, and only the console's ingress, for some addresses, the operator's port", () => {
  const { template } = named('Deployment', 'partner-booking-api').spec;
  for (const name of ['partner-booking', 'partner-booking-operator']) {
    const { selector, ports } = named('Service', name).spec;
    assert.deepEqual(selector, template.metadata.labels);
    const opened = template.spec.containers[0].ports.map((port: { name: string }) => port.name);
    for (const port of ports) assert.ok(opened.includes(port.targetPort), port.targetPort);
  }
  const [rule] = named('Ingress').spec.rules;
  const { service } = rule.http.paths[0].backend;
  assert.deepEqual(
    [named('Ingress').spec.rules.length, rule.http.paths.length, service.name],
    [1, 1, 'partner-booking'],
  );
  assert.equal(named('Service', service.name).spec.ports[0].name, service.port.name);
  assert.equal(named('Service', service.name).spec.ports[0].targetPort, 'partners');
  assert.equal(new URL(named('ConfigMap').data.PUBLIC_URL).host, rule.host);

  const { metadata, spec } = named('Ingress', 'partner-booking-console');
  assert.ok(metadata.annotations['nginx.ingress.kubernetes.io/whitelist-source-range']);
  assert.deepEqual(
    spec.rules[0].http.paths.map(({ path, backend }: Manifest) => [path, backend.service.name]),
    ['/console', '/operator'].map((path) => [path, 'partner-booking-operator']),
  );
});

test('the network policy opens ports that exist, the migration writes no file and has no fixed name', () => {
  const { spec } = named('NetworkPolicy');
  const opened = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap((one) => one.spec.template.spec.containers[0].ports.map(({ name }: Manifest) => name));
  const allowed = spec.ingress.flatMap(({ ports }: Manifest) => ports.map(({ port }: Manifest) => port));
  assert.deepEqual(new Set(allowed), new Set(opened));
  for (const one of manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)))
    assert.partialDeepStrictEqual(one.spec.template.metadata.labels, spec.podSelector.matchLabels);
  const [{ metadata, spec: job }] = manifests.filter(({ kind }) => kind === 'Job') as [Manifest];
  assert.deepEqual([metadata.name, metadata.generateName], [undefined, 'partner-booking-migrate-']);
  assert.equal(job.template.spec.containers[0].securityContext.readOnlyRootFilesystem, true);
});

const MODELS = join(ROOT, 'tools/kubernetes/node_modules/kubernetes-models');
const CLOUDNATIVE_PG = join(ROOT, 'tools/kubernetes/node_modules/@kubernetes-models/cloudnative-pg');

test("the manifests are valid by Kubernetes' schemas", {
  skip: !existsSync(MODELS) && 'needs `node scripts/install-tools.ts kubernetes`',
}, async () => {
  assert.ok(manifests.length >= 10);
  for (const manifest of manifests) {
    const folder = manifest.apiVersion.startsWith('postgresql.cnpg.io/') ? CLOUDNATIVE_PG : MODELS;
    const models = await import(join(folder, manifest.apiVersion, 'index.js'));
    const Model = models[manifest.kind];
    assert.ok(Model, `${manifest.apiVersion} ${manifest.kind}`);
    assert.doesNotThrow(() => new Model(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`);
  }
  const { Deployment } = await import(join(MODELS, 'apps/v1/index.js'));
  const wrong = structuredClone(named('Deployment', 'partner-booking-api'));
  wrong.spec.replicas = '2';
  assert.throws(() => new Deployment(wrong).validate(), /replicas/, 'a wrong one is refused');
  const { Cluster } = await import(join(CLOUDNATIVE_PG, 'postgresql.cnpg.io/v1/index.js'));
  const database = structuredClone(named('Cluster', 'booking-db'));
  database.spec.postgresql.synchronous.method = 'all';
  assert.throws(() => new Cluster(database).validate(), /method/, 'a wrong one is refused');
});
