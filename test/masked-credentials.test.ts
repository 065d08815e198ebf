import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREDENTIALS, newToken } from '../src/base/tokens.ts';
import { createKey } from '../src/partners/key-rules.ts';
import { maskJson, maskText, maskUrl } from '../src/runtime/masking.ts';
import { createSecret } from '../src/webhooks/signature.ts';

/** What is kept of texts has no credential of ours in it. */

test('a credential of every kind is masked, wherever it is', () => {
  const made = [
    ...Object.values(CREDENTIALS).map((prefix) => newToken(prefix).token),
    createKey('sandbox').key,
    createKey('production').key,
    createSecret(),
  ];
  for (const token of made) {
    const [kind = ''] = Object.values(CREDENTIALS)
      .filter((prefix) => token.startsWith(prefix))
      .sort((one, other) => other.length - one.length);
    const link = `https://a.example/crew#link=${token}`;
    assert.equal(maskText(`see ${link}, it says`), `see https://a.example/crew#link=${kind}•••, it says`);
    assert.equal(maskJson(JSON.stringify({ name: [link] })).text.includes(token), false, kind);
    assert.equal(maskUrl(`/x?q=${encodeURIComponent(link)}`, true, 1_000).includes(token), false, kind);
  }
});
