import { chooseLanguage, DIRECTIONS, inlined, pageHeaders } from './bilingual-pages.ts';
import { html } from './html.ts';
import TEXTS from './missing-page.json' with { type: 'json' };

/** The page of 404 for browsers; other clients get JSON. */

const STYLE = inlined(
  ':root{color-scheme:light dark}body{max-width:40rem;margin:4rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif}',
);

/** The page of 404, in English or Arabic by `Accept-Language`. */
export function missingPage(acceptLanguage: string | undefined): {
  headers: Record<string, string>;
  body: string;
} {
  const language = chooseLanguage(undefined, acceptLanguage, 'en');
  const { title, text, docs } = TEXTS[language];
  const page = html`<!doctype html>
<html lang="${language}" dir="${DIRECTIONS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE.text}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="/docs">${docs}</a></p>
</main>
</body>
</html>
`;
  return {
    headers: {
      ...pageHeaders(language, STYLE, ['img-src data:', `form-action 'none'`]),
      vary: 'accept, accept-language',
    },
    body: page.toString(),
  };
}
