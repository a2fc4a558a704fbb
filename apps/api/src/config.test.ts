import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { BadConfig } from './settings/setting-reader.ts';

const KEY = 'k'.repeat(32);

describe('readConfig', () => {
  it('has a default for everything [decisions.9.default-as-specified]', () => {
    const config = readConfig({}, { cwd: '/srv/portal' });
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      demo: undefined,
      dataDir: '/srv/portal/.data',
      databaseUrl: undefined,
      sandboxPort: 4010,
      passwordMinLength: 6,
      passwordRule: 'composition',
      logLevel: 'info',
    });
    expect(config.publicUrl.href).toBe('http://localhost:3000/');
  });

  it('reports all faults together, in one line that names each setting', () => {
    const read = () =>
      readConfig({
        PORT: 'eighty',
        PUBLIC_URL: 'portal',
        DATABASE_URL: 'mysql://x',
        LOG_LEVEL: 'loud',
        DEMO: 'yes',
      });
    expect(read).toThrow(BadConfig);
    try {
      read();
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      for (const name of ['PORT', 'PUBLIC_URL', 'DATABASE_URL', 'LOG_LEVEL', 'DEMO'])
        expect(message).toContain(name);
      expect(message).not.toContain('\n');
    }
  });

  it('wants a key for an external database, of a fit length, also from a file', () => {
    const DATABASE_URL = 'postgres://u:p@db/portal';
    expect(() => readConfig({ DATABASE_URL })).toThrow('SECRET_KEY is required with DATABASE_URL');
    expect(() => readConfig({ DATABASE_URL, SECRET_KEY: 'short' })).toThrow('at least 32');
    expect(readConfig({ DATABASE_URL, SECRET_KEY: KEY }).secretKey).toBe(KEY);
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'key');
    writeFileSync(file, `${KEY}\n`);
    expect(readConfig({ DATABASE_URL, SECRET_KEY_FILE: file }).secretKey).toBe(KEY);
    expect(() => readConfig({ DATABASE_URL, SECRET_KEY_FILE: '/nowhere' })).toThrow(
      'SECRET_KEY_FILE cannot be read',
    );
  });

  it.each([
    [
      { PUBLIC_URL: 'https://me:s3cret@bills.example' },
      'PUBLIC_URL must be without user, path, query and fragment',
    ],
    [{ PUBLIC_URL: 'https://bills.example/?a=s3cret' }, 'such as https://bills.example'],
    [{ PUBLIC_URL: 'https://example.com/bills' }, 'such as https://example.com'],
    [{ MAIL_FROM: 'nope' }, 'MAIL_FROM must be a mail address alone'],
    [{ MAIL_BOUNCES: 'Bounces <b@x.example>' }, 'MAIL_BOUNCES must be a mail address alone'],
    [{ FILES_URL: 'file://elsewhere/files' }, 'FILES_URL must be a folder of this machine'],
  ])('refuses %j', (env, named) => {
    expect(() => readConfig(env)).toThrow(named);
    expect(() => readConfig(env)).not.toThrow('s3cret');
  });

  it('reads gateway addresses by gateway and by role', () => {
    const { gatewayUrls } = readConfig({
      GATEWAY_URL_STRIPE: 'http://127.0.0.1:4010/',
      GATEWAY_URL_STRIPE_SCRIPT: 'http://127.0.0.1:4010/s.js',
    });
    expect([...gatewayUrls]).toEqual([
      ['STRIPE', 'http://127.0.0.1:4010'],
      ['STRIPE_SCRIPT', 'http://127.0.0.1:4010/s.js'],
    ]);
  });
});

describe('DEMO', () => {
  const external = { DATABASE_URL: 'postgres://u:p@db/portal', SECRET_KEY: KEY };

  it.each([
    ['nothing', {}, true],
    ['an address of this machine', { PUBLIC_URL: 'http://au.localhost:8080' }, true],
    ['0', { DEMO: '0' }, false],
    ['a database of its own', external, false],
    ['a database of its own and 1', { ...external, DEMO: '1' }, true],
    ['an https address', { PUBLIC_URL: 'https://bills.example' }, false],
    ['https on this machine', { PUBLIC_URL: 'https://localhost' }, false],
    ['an address others reach', { PUBLIC_URL: 'http://192.0.2.7:3000' }, false],
    ['a gateway on this machine', { GATEWAY_URL_STRIPE: 'http://[::1]:4010' }, true],
  ])('under start with %s', (_what, env, demo) => {
    expect(readConfig(env, { isStart: true }).demo).toBe(demo);
  });

  it('is unsaid for every other command', () => {
    expect(readConfig({}).demo).toBeUndefined();
    expect([readConfig({ DEMO: '1' }).demo, readConfig({ DEMO: '0' }).demo]).toEqual([true, false]);
  });

  it.each([
    [{ PUBLIC_URL: 'https://bills.example/' }, 'PUBLIC_URL https://bills.example:'],
    [{ PUBLIC_URL: 'https://localhost' }, 'PUBLIC_URL https://localhost:'],
    [{ PUBLIC_URL: 'http://localhost.example' }, 'PUBLIC_URL http://localhost.example:'],
    [{ PUBLIC_URL: 'http://127.0.0.1.nip.example' }, 'PUBLIC_URL http://127.0.0.1.nip.example:'],
    [{ GATEWAY_URL_STRIPE: 'https://api.stripe.com' }, 'GATEWAY_URL_STRIPE https://api.stripe.com:'],
    [{ GATEWAY_URL_X_API: 'https://key:s3cret@x.example/k' }, 'GATEWAY_URL_X_API https://x.example:'],
  ])('1 is refused with %j, in one line that names the setting', (env, named) => {
    for (const isStart of [true, false]) {
      let message = '';
      try {
        readConfig({ ...env, DEMO: '1' }, { isStart });
      } catch (error) {
        message = error instanceof BadConfig ? error.message : '';
      }
      expect(message).toContain(`DEMO=1 is refused with ${named}`);
      expect(message).not.toMatch(/\n|s3cret/);
      expect(readConfig({ ...env, DEMO: '0' }, { isStart }).demo).toBe(false);
    }
  });

  it('is not taken by start for itself beside a gateway elsewhere', () => {
    expect(() => readConfig({ GATEWAY_URL_STRIPE: 'https://proxy.example' }, { isStart: true })).toThrow(
      'DEMO=1 is refused with GATEWAY_URL_STRIPE',
    );
  });
});
