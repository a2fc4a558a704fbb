import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { clusterUrl, inDatabase } from '@counterfoil/testing/machines.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { openRuntime } from '../runtime.ts';
import { prepareDatabase } from './begin.ts';
import { contentChecks } from './checks/database.ts';

const database = useDatabase();
const name = `poor_${randomBytes(4).toString('hex')}`;
const admin = (text: string) => database.pool().query(text);

beforeAll(async () => {
  await admin(`create role ${name} login password 'x'`);
  await admin(`create database ${name} owner ${name}`);
});
afterAll(async () => {
  await admin(`drop database ${name} with (force)`);
  await admin(`drop role ${name}`);
});

/** Starts as an operator does whose role of the database may not make roles. @returns what was warned of, and what `doctor` says */
async function start(rowSecurity: string) {
  const url = new URL(inDatabase(database.url, name));
  [url.username, url.password] = [name, 'x'];
  const warned: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) });
  const config = readConfig({
    DATABASE_URL: url.href,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'counterfoil-')),
    SECRET_KEY: 'k'.repeat(32),
    DATABASE_ROW_SECURITY: rowSecurity,
  });
  const runtime = await openRuntime(config, log);
  try {
    await prepareDatabase(runtime, ['serve']);
    const findings = await Promise.all(contentChecks.map(({ look }) => look(runtime)));
    return { warned, found: findings.flat().find(({ what }) => what === 'row-level security') };
  } finally {
    await runtime.close();
  }
}

describe.skipIf(clusterUrl() !== undefined)('a start whose role may not set row-level security up', () => {
  it('goes on and says so, does not where it is required, and needs no more than the role of an administrator', async () => {
    const without = await start('auto');
    expect(without.warned.join()).toContain('the queries alone do');
    expect(without.found).toMatchObject({ is: 'warning', found: expect.stringContaining('may not act as') });
    await expect(start('required')).rejects.toThrow(
      /^DATABASE_ROW_SECURITY=required, but .* may not make the role/,
    );
    expect(await start('off')).toMatchObject({ warned: [], found: { is: 'ok' } });
    await admin(`grant counterfoil_customer to ${name}`);
    expect(await start('required')).toMatchObject({ warned: [], found: { is: 'ok' } });
  });
});
