import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderGuide } from './guides.ts';

test('headings have the anchors that links to them use', async () => {
  const html = await renderGuide(
    '# On your *own* machine\n\n## `A_CODE` (400; also 408)\n\n## Twice\n\n## Twice\n\n## العنوان الأساسي\n',
  );
  assert.deepEqual(
    [...html.matchAll(/<h\d id="([^"]*)">/g)].map(([, id]) => id),
    ['on-your-own-machine', 'a_code-400-also-408', 'twice', 'twice-1', 'العنوان-الأساسي'],
  );
});

test('links between guides lead to their pages, all others stay', async () => {
  const html = await renderGuide(
    '[a](errors.md#conflict) [b](decisions/event-feed.md) [c](vectors.json) [d](https://x.example/y.md) [e](#here)',
  );
  assert.deepEqual(
    [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
    ['errors#conflict', 'decisions/event-feed', 'vectors.json', 'https://x.example/y.md', '#here'],
  );
  assert.equal(await renderGuide('[the files](snippets)'), '<p>the files</p>\n', 'not on the page');
});

test('of HTML only anchors count', async () => {
  const html = await renderGuide(
    [
      '<a id="conflict"></a>',
      'a <b>c</b> <a href="x">d</a> <a id="x" onclick="y">e</a>',
      '<script>alert(1)</script>',
      '`<i>` and\n\n```html\n<u>"&amp;\n```',
    ].join('\n\n'),
  );
  assert.match(html, /<p><a id="conflict"><\/a><\/p>/);
  assert.doesNotMatch(html, /<(?:b|i|u|script|a (?:href|id="x"))/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.match(html, /<code>&lt;u&gt;&quot;&amp;amp;\n<\/code>/);
});
