import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeHtml, html, trustedHtml } from './html.ts';

test('values are escaped, unless they are HTML', () => {
  const hostile = `"><script>alert('&')</script>`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;';
  assert.equal(escapeHtml(hostile), escaped);
  assert.equal(String(html`<p title="${hostile}">${hostile}</p>`), `<p title="${escaped}">${escaped}</p>`);
  assert.equal(String(html`<div>${html`<b>${hostile}</b>`}</div>`), `<div><b>${escaped}</b></div>`);
  assert.equal(String(html`<div>${trustedHtml('<b>bold</b>')}</div>`), '<div><b>bold</b></div>');
});

test('lists are joined; null and false render nothing; backslashes and dollars stay', () => {
  assert.equal(String(html`<ul>${['a', html`<li>`, ['<', null], false]}</ul>`), '<ul>a<li>&lt;</ul>');
  assert.equal(String(html`${'$& $1 \\n'}`), '$&amp; $1 \\n');
});
