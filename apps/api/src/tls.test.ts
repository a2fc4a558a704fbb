import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { databaseTlsFault, databaseWish, isThisMachine, mailWish } from './tls.ts';

const FILE = import.meta.filename;
const SECRET_KEY = 'k'.repeat(32);
const base = { SECRET_KEY };

describe('this machine', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.8.8.8',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '/run/postgresql',
  ])('is %s', (host) => expect(isThisMachine(host)).toBe(true));
  it.each([
    'db',
    'db.example',
    '10.0.0.4',
    '127.0.0.1.example',
    'localhost.example',
    '1127.0.0.1',
    '',
    '[fe80::1]',
  ])("is not '%s'", (host) => expect(isThisMachine(host)).toBe(false));
});

describe('the address of the database', () => {
  const read = (url: string, env: Readonly<Record<string, string>> = {}) =>
    readConfig({ ...base, DATABASE_URL: url, ...env }).databaseUrl;
  const VERIFIED = 'sslmode=verify-full';

  it.each([
    // [address, what is demanded of its connections]
    ['postgres://u:p@localhost/d', ''],
    ['postgres://u:p@127.0.0.1:5433/d', ''],
    ['postgres://u:p@[::1]/d', ''],
    ['postgres://u:p@%2Frun%2Fpostgresql/d', ''],
    ['postgres://u:p@db.example/d?host=/run/postgresql', '?host=/run/postgresql'],
    ['postgres://u:p@localhost/d?sslmode=disable', '?sslmode=disable'],
    ['postgres:///d', ''],
    ['postgres://u:p@db.example/d', `?${VERIFIED}`],
    ['postgresql://u:p@10.0.0.4:6432/d', `?${VERIFIED}`],
    ['postgres://u:p@localhost/d?host=db.example', `?host=db.example&${VERIFIED}`],
    [
      'postgres://u:p@db.example/d?host=localhost&host=db.example',
      `?host=localhost&host=db.example&${VERIFIED}`,
    ],
    ['postgres://u:p@db.example/d?sslmode=require', `?${VERIFIED}`],
    ['postgres://u:p@db.example/d?sslmode=prefer', `?${VERIFIED}`],
    ['postgres://u:p@db.example/d?sslmode=disable&sslmode=allow', `?${VERIFIED}`],
    ['postgres://u:p@db.example/d?ssl=true', `?ssl=true&${VERIFIED}`],
    [
      `postgres://u:p@db.example/d?sslrootcert=${FILE}`,
      `?sslrootcert=${encodeURIComponent(FILE)}&${VERIFIED}`,
    ],
    ['postgres://u:p@localhost/d?sslmode=require', `?${VERIFIED}`],
    ['postgres://u:p@localhost/d?sslmode=no-verify', '?sslmode=no-verify'],
    // Asked for in so many words: encrypted, whoever answers.
    ['postgres://u:p@db.example/d?sslmode=no-verify', '?sslmode=no-verify'],
    [
      'postgres://u:p@db.example/d?uselibpqcompat=true&sslmode=require',
      '?uselibpqcompat=true&sslmode=require',
    ],
  ])('%s is used with %j', (address, query) => {
    expect(read(address)).toBe(address.replace(/\?.*/, '') + query);
  });

  it.each([
    'sslmode=disable',
    'sslmode=require&sslmode=disable',
    'ssl=false',
    'ssl=0',
    'sslmode=disable&ssl=true',
  ])(
    'of another machine is refused with %s, in one line that names the setting; the setting allows it',
    (query) => {
      const address = `postgres://u:secret@db.example/d?${query}`;
      expect(() => read(address)).toThrow(
        /^bad settings: DATABASE_URL switches TLS off for db\.example; only DATABASE_TLS=off allows that$/,
      );
      expect(read(address, { DATABASE_TLS: 'off' })).toBe(address);
    },
  );

  it.each(['sslrootcert', 'sslcert', 'sslkey'])(
    'is refused where %s names no file that can be read',
    (name) => {
      expect(() => read(`postgres://u:secret@db.example/d?${name}=/nowhere.pem`)).toThrow(
        `bad settings: ${name} in DATABASE_URL names a file that cannot be read: /nowhere.pem`,
      );
    },
  );

  it('is left as it is with DATABASE_TLS=off, and where PGHOST names this machine', () => {
    expect(read('postgres://u:p@db/d', { DATABASE_TLS: 'off' })).toBe('postgres://u:p@db/d');
    expect(read('postgres:///d', { PGHOST: '/run/postgresql' })).toBe('postgres:///d');
    expect(read('postgres:///d', { PGHOST: 'db.example' })).toBe(`postgres:///d?${VERIFIED}`);
    expect(() => read('postgres://u:p@db/d', { DATABASE_TLS: 'no' })).toThrow('DATABASE_TLS must be one of');
  });

  it.each([
    ['', 'none'],
    ['?sslmode=verify-full', 'verified'],
    ['?sslmode=require', 'verified'],
    ['?ssl=true', 'verified'],
    ['?sslmode=no-verify', 'encrypted'],
    ['?ssl=no-verify', 'encrypted'],
    ['?uselibpqcompat=true&sslmode=prefer', 'encrypted'],
    ['?uselibpqcompat=true&sslmode=verify-full', 'verified'],
    ['?sslmode=disable', 'none'],
  ])('with %j asks for a connection that is %s', (query, wish) => {
    expect(databaseWish(new URL(`postgres://u@db/d${query}`))).toBe(wish);
  });
});

describe('the address of the mail server', () => {
  const read = (url: string, env: Readonly<Record<string, string>> = {}) =>
    readConfig({ SMTP_URL: url, ...env }).smtpUrl;

  it.each([
    ['smtp://localhost:1025', 'smtp://localhost:1025', 'none'],
    ['smtp://127.0.0.1:25', 'smtp://127.0.0.1:25', 'none'],
    ['smtp://u:p@mail.example:587', 'smtp://u:p@mail.example:587?requireTLS=true', 'verified'],
    ['smtp://mail.example?name=us', 'smtp://mail.example?name=us&requireTLS=true', 'verified'],
    ['smtp://localhost?service=gmail', 'smtp://localhost?service=gmail&requireTLS=true', 'verified'],
    ['smtps://mail.example', 'smtps://mail.example', 'verified'],
    [
      'smtp://mail.example?tls.rejectUnauthorized=false',
      'smtp://mail.example?tls.rejectUnauthorized=false&requireTLS=true',
      'encrypted',
    ],
  ])('%s is used as %s', (address, used, wish) => {
    const href = read(address);
    expect(href).toBe(used);
    expect(mailWish(new URL(href ?? ''))).toBe(wish);
  });

  it.each(['ignoreTLS=true', 'requireTLS=false', 'opportunisticTLS=true'])(
    'of another machine is refused with %s; SMTP_TLS=off allows it',
    (query) => {
      const address = `smtp://mail.example?${query}`;
      expect(() => read(address)).toThrow(
        'SMTP_URL switches TLS off for mail.example; only SMTP_TLS=off allows that',
      );
      expect(read(address, { SMTP_TLS: 'off' })).toBe(address);
    },
  );

  it('is left as it is with SMTP_TLS=off', () =>
    expect(read('smtp://mail.example', { SMTP_TLS: 'off' })).toBe('smtp://mail.example'));
});

describe('a fault of TLS', () => {
  it('is told with what to do, and no other fault is taken for one', () => {
    const expired = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
    expect(databaseTlsFault(expired)).toContain('sslrootcert');
    expect(databaseTlsFault(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBeUndefined();
    expect(databaseTlsFault('x')).toBeUndefined();
  });
});
