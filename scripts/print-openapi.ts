import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openInMemory } from '../src/db/embedded.ts';
import type { OpenApiDocument } from '../src/openapi/document.ts';
import { crewDocument, operatorDocument, partnerDocument, portalDocument } from '../src/openapi/documents.ts';
import { collectRoutes } from '../src/openapi/generator.ts';
import { buildApp } from '../src/program/app.ts';
import { parseConfig } from '../src/program/config.ts';
import type { Deps } from '../src/program/deps.ts';
import { startService } from '../src/program/service.ts';
import { createLogger } from '../src/runtime/logger.ts';

/** Writes the OpenAPI documents from the routes of a sandbox; test/openapi-files.test.ts compares them. */
export const FILES = {
  partner: fileURLToPath(new URL('../openapi/partner.json', import.meta.url)),
  operator: fileURLToPath(new URL('../openapi/operator.json', import.meta.url)),
  portal: fileURLToPath(new URL('../openapi/portal.json', import.meta.url)),
  crew: fileURLToPath(new URL('../openapi/crew.json', import.meta.url)),
};

/** The documents of an application with all routes enabled, as text. */
export async function openApiTexts(deps: Deps): Promise<Record<keyof typeof FILES, string>> {
  const app = buildApp(deps, ['partner', 'operator']);
  const routes = collectRoutes(app);
  try {
    await app.ready();
    return {
      partner: textOf(partnerDocument(routes())),
      operator: textOf(operatorDocument(routes())),
      portal: textOf(portalDocument(routes())),
      crew: textOf(crewDocument(routes())),
    };
  } finally {
    await app.close();
  }
}

const textOf = (document: OpenApiDocument): string => `${JSON.stringify(document, null, 2)}\n`;

if (import.meta.main) {
  const { db } = await openInMemory();
  const config = parseConfig({
    PORT: '0',
    DEPLOYMENT: 'sandbox',
    SEED: 'none',
    OPERATOR_TOKEN: 'printed-to-nobody',
    SECRETS_KEY: '0'.repeat(64),
  });
  const service = await startService(config, { db, logger: createLogger('silent') });
  const texts = await openApiTexts(service.deps);
  await service.close();
  for (const key of ['partner', 'operator', 'portal', 'crew'] as const) writeFileSync(FILES[key], texts[key]);
  console.log('openapi/partner.json, operator.json, portal.json and crew.json are written');
}
