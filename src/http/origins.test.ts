import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownOrigins } from './origins.ts';

test('the own origins are PUBLIC_URL and the listening address, and no similar ones', () => {
  const isOwn = ownOrigins({ publicUrl: 'https://booking.example/base', host: '127.0.0.1' });
  for (const own of [
    'https://booking.example',
    'https://booking.example:443/docs',
    'http://127.0.0.1:3000',
    'http://localhost:3000/docs',
    'http://[::1]:3000/docs?x#y',
  ])
    assert.equal(isOwn(own, 3000), true, own);
  for (const foreign of [
    'http://booking.example',
    'https://booking.example:8443',
    'https://www.booking.example',
    'https://booking.example.evil.sa',
    'https://booking.example@evil.sa/',
    'https://evil.sa/https://booking.example',
    'http://127.0.0.1:3001',
    'https://127.0.0.1:3000',
    'http://127.0.0.2:3000',
    'null',
    'booking.example',
    'file:///docs',
  ])
    assert.equal(isOwn(foreign, 3000), false, foreign);
  assert.equal(isOwn('http://127.0.0.1:3000', undefined), false);
});

test('a service on a network address is not reached by other names of the machine', () => {
  const isOwn = ownOrigins({ publicUrl: 'https://booking.example', host: '192.0.2.1' });
  assert.equal(isOwn('http://192.0.2.1', 80), true);
  assert.equal(isOwn('http://localhost:80', 80), false);
  const everywhere = ownOrigins({ publicUrl: 'https://booking.example', host: '::' });
  assert.equal(everywhere('http://localhost:3000/docs', 3000), true);
  assert.equal(everywhere('http://192.0.2.1:3000', 3000), false);
});
