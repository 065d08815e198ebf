import type { Language } from '../http/bilingual-pages.ts';
import { FILES, GUIDES } from './guides.ts';

/**
 * llms.txt (llmstxt.org): an overview of the service with links, for programs that read documentation. `publicUrl` is
 * the base of the service's addresses.
 */
export function llmsText(publicUrl: string): string {
  const guidesIn = (wanted: Language): string[] =>
    GUIDES.flatMap(({ name, title, about, language }) =>
      about === null || language !== wanted ? [] : `- [${title}](${publicUrl}/docs/${name}.md): ${about}`,
    );
  const files = FILES.flatMap(({ name, about }) =>
    about === null ? [] : `- [${name.split('/').at(-1)}](${publicUrl}/docs/${name}): ${about}`,
  );
  return [
    '# Partner Booking Service',
    '',
    '> HTTP/JSON interface with which partner organisations book home-cleaning appointments in Riyadh for their own',
    '> customers: contacts and addresses, services and prices, free timeslots, bookings, events and webhooks.',
    '',
    `The base address of the interface is ${publicUrl}/v1. Every request carries an API key in the header x-api-key.`,
    'Answers are { "success": true, "data": ... } or { "success": false, "error": { "code", "message", "details",',
    '"requestId" } }; branch on the code. Dates and times are those of Riyadh (UTC+3), money is SAR.',
    '',
    '## Interface',
    '',
    `- [OpenAPI 3.1 document](${publicUrl}/openapi.json): every operation, field, permission and error, with examples`,
    '',
    '## Guides',
    '',
    ...guidesIn('en'),
    '',
    '## Guides in Arabic',
    '',
    ...guidesIn('ar'),
    '',
    '## Files',
    '',
    'Install these from their addresses: no registry has the packages.',
    '',
    ...files,
    '',
  ].join('\n');
}
