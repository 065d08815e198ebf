import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectPostgres } from '../src/db/connection.ts';
import { migrate } from '../src/db/migrate.ts';

const SERVER =
  process.env.SCHEMA_DATABASE_URL ??
  process.env.TEST_DATABASE_URL ??
  'postgres://root@127.0.0.1:5432/postgres';

/** Runs work on a separate, migrated, empty database, which is dropped afterwards. */
export async function withSchemaDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const name = `pbs_schema_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: SERVER });
  await admin.connect();
  try {
    await admin.query(`create database ${name} template template0 encoding 'UTF8'`);
    try {
      const url = new URL(SERVER);
      url.pathname = `/${name}`;
      const db = connectPostgres(url.href, 2, (error) => {
        throw error;
      });
      try {
        await migrate(db);
      } finally {
        await db.close();
      }
      return await work(url.href);
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`);
    }
  } finally {
    await admin.end();
  }
}
