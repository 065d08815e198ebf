import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from './harness.ts';

test('at an unknown address of pages a browser gets HTML, other clients get JSON', async (t) => {
  const { url } = await startTestService(t);
  for (const path of ['/docs/nothing', '/certifications/nothing']) {
    const get = (headers: Record<string, string>) => fetch(url + path, { headers });
    for (const [language, dir, title] of [
      ['en', 'ltr', 'There is no such page'],
      ['ar', 'rtl', 'لا توجد صفحة بهذا العنوان'],
    ] as const) {
      const page = await get({ accept: 'text/html,*/*;q=0.8', 'accept-language': language });
      assert.equal(page.status, 404, path);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
      const text = await page.text();
      assert.ok(text.includes(`<html lang="${language}" dir="${dir}">`), text);
      assert.ok(text.includes(`<h1>${title}</h1>`), text);
    }
    const json = await get({ accept: '*/*' });
    assert.equal(json.status, 404, path);
    assert.equal(((await json.json()) as { error: { code: string } }).error.code, 'RESOURCE_NOT_FOUND');
  }
  const api = await fetch(`${url}/v1/nothing`, { headers: { accept: 'text/html' } });
  assert.match(api.headers.get('content-type') ?? '', /json/);
});
