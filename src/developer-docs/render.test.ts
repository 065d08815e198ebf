import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderGuide as render, sectionsOf } from './render.ts';

/** As a file in docs/. */
const renderGuide = (markdown: string) => render(markdown, 'docs/guide.md');

test('headings have the anchors that links to them use', async () => {
  const html = await renderGuide(
    '# On your *own* machine\n\n## `A_CODE` (400; also 408)\n\n## Twice\n\n## Twice\n\n## العنوان الأساسي\n',
  );
  assert.deepEqual(
    [...html.matchAll(/<h\d id="([^"]*)">/g)].map(([, id]) => id),
    ['on-your-own-machine', 'a_code-400-also-408', 'twice', 'twice-1', 'العنوان-الأساسي'],
  );
});

test('links to served files lead there, others stay', async () => {
  const links = async (markdown: string, source: string) =>
    [...(await render(markdown, source)).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  assert.deepEqual(
    await links(
      '[a](errors.md#conflict) [b](decisions/event-feed.md) [c](webhook-vectors.json) [d](../sdk/README.md#retries) ' +
        '[e](../openapi/partner.json) [f](https://x.example/y.md) [g](#here) [h](internals.md)',
      'docs/guide.md',
    ),
    [
      '/docs/errors#conflict',
      '/docs/decisions/event-feed',
      '/docs/webhook-vectors.json',
      '/docs/sdk#retries',
      '/openapi.json',
      'https://x.example/y.md',
      '#here',
      'internals.md',
    ],
  );
  assert.deepEqual(await links('[a](../../docs/errors.md) [b](x.md)', 'examples/partner-app/README.md'), [
    '/docs/errors',
    'x.md',
  ]);
});

test('of HTML only anchors are kept', async () => {
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
  assert.match(html, /<code>.*&lt;.*u.*&gt;.*&quot;&amp;amp;\n<\/code>/);
});

test('code in a known language is highlighted, and its text stays the same', async () => {
  const html = await renderGuide(
    '# A\n\n```json\n{ "a<b": 1 }\n```\n\n```text\n<i>\n```\n\n```\n</i>\n```\n',
  );
  assert.match(html, /<span class="hljs-attr">&quot;a&lt;b&quot;<\/span>/);
  assert.match(html, /<code>&lt;i&gt;\n<\/code>/);
  assert.match(html, /<code>&lt;\/i&gt;\n<\/code>/);
  assert.equal(sectionsOf(html)[0]!.text, '{ "a<b": 1 } <i> </i>');
});

test('sections are the headings with their text', async () => {
  const html = await renderGuide(
    '# One & `two`\n\nText of **it**.\n\n| a | b |\n| - | - |\n| c | d |\n\n## Next\n\n- x\n- y\n',
  );
  assert.deepEqual(sectionsOf(html), [
    { id: 'one--two', depth: 1, title: 'One & two', text: 'Text of it. a b c d' },
    { id: 'next', depth: 2, title: 'Next', text: 'x y' },
  ]);
});
