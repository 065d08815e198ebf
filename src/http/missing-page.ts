import { createHash } from 'node:crypto';
import Negotiator from 'negotiator';
import { html, trustedHtml } from './html.ts';

/** The page of 404 for browsers; other clients get JSON. */

const TEXTS = {
  en: {
    title: 'There is no such page',
    text: 'The address may be incomplete, or what was there is gone.',
    docs: 'Guides and reference',
  },
  ar: {
    title: 'لا توجد صفحة بهذا العنوان',
    text: 'قد يكون العنوان ناقصًا، أو أن ما كان هنا لم يعد موجودًا.',
    docs: 'الأدلة والمرجع',
  },
} as const;

const STYLE =
  ':root{color-scheme:light dark}body{max-width:40rem;margin:4rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif}';

/** The page of 404, in English or Arabic by `Accept-Language`. */
export function missingPage(acceptLanguage: string | undefined): {
  headers: Record<string, string>;
  body: string;
} {
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
  const language = negotiator.language(['en', 'ar']) === 'ar' ? 'ar' : 'en';
  const { title, text, docs } = TEXTS[language];
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const page = html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trustedHtml(STYLE)}</style>
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
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'content-security-policy': `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      vary: 'accept, accept-language',
    },
    body: page.toString(),
  };
}
