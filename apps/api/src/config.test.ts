import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BadConfig, readConfig } from './config.ts';

const KEY = 'k'.repeat(32);

describe('readConfig', () => {
  it('has a default for everything', () => {
    const config = readConfig({}, '/srv/portal');
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      demo: false,
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
