// Runs at the end of an install (npm ci): makes what a first start with an embedded database copies, which else takes it
// several seconds, and compiles the program. A start does without. Plain JavaScript, because an older Node may run it.

import module from 'node:module';

try {
  module.enableCompileCache();
  const { ensureTemplate, inDataDir, ownTemplate } = await import('../src/db/template.ts');
  const { migrate } = await import('../src/db/migrate.ts');
  await import('../src/program/service.ts');
  await ensureTemplate(ownTemplate(), (dataDir) => inDataDir(dataDir, (db) => migrate(db)));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`No database is prepared for a first start, which makes it then: ${reason}`);
}
