// Runs at the end of an install (npm ci): creates the template that the first start with an embedded database copies,
// and compiles the program, to save that start several seconds. Not required. Plain JavaScript, because an older Node
// may run it.

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
