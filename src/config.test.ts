import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, parseConfig } from './config.ts';

test('nothing set: an embedded sandbox', () => {
  const config = parseConfig({});
  assert.equal(config.databaseUrl, null);
  assert.equal(config.deployment, 'sandbox');
  assert.equal(config.seed, 'demo');
  assert.equal(config.port, 3000);
  assert.equal(config.publicUrl, 'http://127.0.0.1:3000');
  assert.deepEqual([...config.roles], ['api', 'worker']);
  assert.ok(Object.isFrozen(config));
});

test('a database of its own: production, no demo data, an operator token is required', () => {
  const env = { DATABASE_URL: 'postgres://db/pbs', OPERATOR_TOKEN: 'x'.repeat(16) };
  const config = parseConfig(env);
  assert.equal(config.deployment, 'production');
  assert.equal(config.seed, 'none');
  assert.throws(() => parseConfig({ DATABASE_URL: env.DATABASE_URL }), /OPERATOR_TOKEN must be set/);
});

test('one message names every bad variable, and repeats no secret', () => {
  const env = {
    PORT: '80000',
    DATABASE_URL: 'mysql://user:hunter2@db/x',
    REDIS_URL: 'http://:hunter3@redis',
    ROLES: 'api,cook',
    DEPLOYMENT: 'moon',
    TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33',
    REQUIRE_HTTPS: 'perhaps',
    OPERATOR_TOKEN: 'hunter4',
    LOG_LEVEL: 'loud',
    DATABASE_POOL: '0',
  };
  assert.throws(
    () => parseConfig(env),
    (error: Error) => {
      assert.ok(error instanceof ConfigError);
      for (const name of Object.keys(env))
        assert.match(error.message, new RegExp(`\\b${name} must be`), name);
      assert.doesNotMatch(error.message, /hunter/);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    },
  );
});

test('switches take true and on', () => {
  assert.equal(parseConfig({ REQUIRE_HTTPS: 'on' }).requireHttps, true);
  assert.equal(parseConfig({ REQUIRE_HTTPS: 'TRUE' }).requireHttps, true);
  assert.equal(parseConfig({ SERVICE_DETAIL_ROUTE: 'off' }).serviceDetailRoute, false);
  assert.equal(parseConfig({ SERVICE_DETAIL_ROUTE: '' }).serviceDetailRoute, true);
});

test('the embedded database is held by one process that does everything', () => {
  assert.throws(() => parseConfig({ ROLES: 'worker' }), /ROLES/);
});
