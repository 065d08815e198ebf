import assert from 'node:assert/strict';
import { test } from 'node:test';
import { banner } from './main.ts';

const service = {
  url: 'http://127.0.0.1:3000',
  operatorUrl: 'http://127.0.0.1:3001',
  operatorToken: 'pbs_operator_x',
  demo: null,
};
const printed = (operatorToken: string | null, isTerminal: boolean, url: string | null = service.url) =>
  banner({ deployment: 'sandbox', operatorToken }, { ...service, url }, 1, isTerminal);

test('a terminal gets a link to the console, with a token that the service has made itself', () => {
  const link = /console +(\S+)/;
  assert.equal(link.exec(printed(null, true))?.[1], 'http://127.0.0.1:3001/console#token=pbs_operator_x');
  assert.equal(link.exec(printed('from-the-environment', true))?.[1], 'http://127.0.0.1:3001/console');
  assert.doesNotMatch(printed('from-the-environment', true), /pbs_operator_x/);
  assert.doesNotMatch(printed(null, false), link);
  assert.doesNotMatch(printed(null, true, null), link, 'a worker has none');
});
