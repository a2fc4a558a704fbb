import dns from 'node:dns';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachOrStart, type EmbeddedServer } from '@counterfoil/postgres/server.ts';
import { testCertificate } from '@counterfoil/testing/certificate.ts';
import { catchMail, type MailCatcher } from '@counterfoil/testing/mail-catcher.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createMailer, type Mail } from '../../src/mail/mailer.ts';
import { useCommands } from '../fixtures/test-commands.ts';

const commands = useCommands();
const CA = join(mkdtempSync(join(tmpdir(), 'tls-')), 'ca.pem');
afterAll(() => rmSync(join(CA, '..'), { recursive: true, force: true }));

type Finding = { readonly what: string; readonly is: string; readonly found: string };
/** What doctor says of one thing, whatever else it finds. */
async function doctorSays(what: string): Promise<Finding | undefined> {
  const { out } = await commands.run('doctor', '--json');
  return (JSON.parse(out) as { findings: Finding[] }).findings.find((one) => one.what === what);
}

describe('a database on another machine', () => {
  let dataDir: string;
  let server: EmbeddedServer;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-tls-'));
    server = await attachOrStart({ dataDir, durable: false });
    writeFileSync(CA, testCertificate.cert);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  beforeEach(() => {
    // A name of another machine that leads to this server.
    const lookup = dns.lookup as unknown as (...args: unknown[]) => void;
    vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: unknown[]) =>
      lookup(name === 'db.example' ? '127.0.0.1' : name, ...rest)) as never);
  });

  const at = (host: string, query = '') => {
    const url = new URL(server.url);
    const search = query === '' ? '' : `?${query}`;
    return `postgres://${url.username}:${url.password}@${host}:${url.port}${url.pathname}${search}`;
  };
  const TRUSTED = `sslrootcert=${CA}`;

  async function offerTls(): Promise<void> {
    const { uid, gid } = statSync(server.cluster);
    for (const [name, text] of [
      ['server.crt', testCertificate.cert],
      ['server.key', testCertificate.key],
    ] as const) {
      const file = join(server.cluster, name);
      writeFileSync(file, text, { mode: 0o600 });
      chownSync(file, uid, gid);
    }
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
    await vi.waitFor(async () => expect((await client.query('show ssl')).rows).toEqual([{ ssl: 'on' }]));
    await client.end();
  }

  it.each(['migrate', 'start', 'serve', 'work', 'user list'])(
    'that offers no TLS is refused by %s, in one line that names the setting',
    async (command) => {
      vi.stubEnv('DATABASE_URL', at('db.example'));
      vi.stubEnv('PORT', '0');
      const { code, err } = await commands.run(...command.split(' '));
      expect(code).toBe(1);
      expect(err).toBe(
        `counterfoil ${command}: the database offers no TLS, which DATABASE_URL demands; give it a certificate, ` +
          'or set DATABASE_TLS=off where the way to it is safe',
      );
      expect(err).not.toContain(new URL(server.url).password);
    },
  );

  it('is used without TLS where DATABASE_TLS=off allows it, and one on this machine anyway', async () => {
    for (const [host, demand] of [
      ['db.example', 'off'],
      ['127.0.0.1', 'required'],
    ] as const) {
      vi.stubEnv('DATABASE_URL', at(host));
      vi.stubEnv('DATABASE_TLS', demand);
      expect(await commands.run('migrate')).toMatchObject({ code: 0 });
      expect(await doctorSays('database TLS')).toMatchObject({
        is: 'ok',
        found: expect.stringMatching(/^none/),
      });
    }
  });

  it('must show a certificate that is trusted; doctor says what is in force', async () => {
    await offerTls();
    vi.stubEnv('DATABASE_URL', at('db.example'));
    expect(await commands.run('migrate')).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^counterfoil migrate: the certificate of the database is not trusted \(self-signed certificate\); .*sslrootcert/,
      ),
    });
    vi.stubEnv('DATABASE_URL', at('db.example', TRUSTED));
    expect(await commands.run('migrate')).toMatchObject({ code: 0 });
    expect(await doctorSays('database TLS')).toEqual({
      what: 'database TLS',
      is: 'ok',
      found: expect.stringMatching(/^TLSv1\.\d, \w+, certificate checked$/),
    });
    vi.stubEnv('DATABASE_URL', at('db.example', 'sslmode=no-verify'));
    expect(await doctorSays('database TLS')).toMatchObject({
      is: 'warning',
      found: expect.stringContaining('certificate not checked'),
    });
  });

  it.each([
    // [sslmode, with DATABASE_TLS, what is in force]
    ...['allow', 'prefer', 'require', 'verify-ca', 'verify-full'].flatMap((mode) => [
      [mode, 'required', /certificate checked$/] as const,
      [mode, 'off', /certificate checked$/] as const,
    ]),
    ['no-verify', 'required', /certificate not checked/] as const,
    ['disable', 'off', /^none/] as const,
  ])(
    'is reached with sslmode=%s and DATABASE_TLS=%s as the documentation says',
    async (mode, demand, found) => {
      await offerTls();
      vi.stubEnv('DATABASE_URL', at('db.example', `${TRUSTED}&sslmode=${mode}`));
      vi.stubEnv('DATABASE_TLS', demand);
      expect(await doctorSays('database TLS')).toMatchObject({ found: expect.stringMatching(found) });
    },
  );
});

describe('a mail server on another machine', () => {
  let plain: MailCatcher;
  let upgrading: MailCatcher;
  beforeAll(async () => {
    plain = await catchMail();
    upgrading = await catchMail({ tls: testCertificate });
  });
  afterAll(() => Promise.all([plain.stop(), upgrading.stop()]));

  /** The address the settings make of one at another machine, leading to this one. */
  const leading = (to: MailCatcher, env: Readonly<Record<string, string>> = {}) => {
    const { port } = new URL(to.url);
    const SMTP_URL = `smtp://mail.example:${port}?tls.ca=${encodeURIComponent(testCertificate.cert)}`;
    return readConfig({ ...env, SMTP_URL }).smtpUrl?.replace('mail.example', '127.0.0.1') ?? '';
  };
  const mailer = (smtpUrl: string) => createMailer({ smtpUrl, dataDir: '' });
  const mail = (to: string): Mail => ({
    to,
    from: { name: '', address: 'us@x.example' },
    subject: 's',
    text: 't',
    html: '<p>t</p>',
    messageId: `<${to}>`,
  });

  it('gets no mail without TLS; the mail waits, and why names the setting', async () => {
    const sending = mailer(leading(plain)).send(mail('a@x.example'));
    await expect(sending).rejects.toMatchObject({
      name: 'MailFailed',
      isForGood: false,
      message: expect.stringContaining('see SMTP_TLS'),
    });
    expect(plain.received).toEqual([]);
    vi.stubEnv('SMTP_URL', leading(plain));
    expect(await doctorSays('mail')).toMatchObject({
      is: 'fault',
      found: expect.stringContaining('gives no TLS, which is demanded (SMTP_TLS)'),
    });
  });

  it('gets it by STARTTLS where it offers that, and without where SMTP_TLS=off allows it', async () => {
    await mailer(leading(upgrading)).send(mail('b@x.example'));
    await mailer(leading(plain, { SMTP_TLS: 'off' })).send(mail('c@x.example'));
    expect((await upgrading.waitFor('b@x.example')).wasEncrypted).toBe(true);
    expect((await plain.waitFor('c@x.example')).wasEncrypted).toBe(false);
  });

  it.each([
    ['plain', {}, 'fault', 'gives no TLS'],
    ['plain', { SMTP_TLS: 'off' }, 'ok', 'without TLS, on this machine'],
    ['upgrading', {}, 'ok', 'TLS, demanded, its certificate checked'],
    ['upgrading', { SMTP_TLS: 'off' }, 'ok', 'TLS because it offers it'],
  ] as const)('doctor says of the %s one with %j: %s, %s', async (which, env, is, words) => {
    vi.stubEnv('SMTP_URL', leading(which === 'plain' ? plain : upgrading, env));
    expect(await doctorSays('mail')).toMatchObject({ is, found: expect.stringContaining(words) });
  });
});

it('a gateway at another address without TLS is warned of, one on this machine is not', async () => {
  vi.stubEnv('GATEWAY_URL_STRIPE', 'http://gateway.example:8080');
  vi.stubEnv('GATEWAY_URL_STRIPE_SCRIPT', 'http://127.0.0.1:4010/s.js');
  expect(await doctorSays('GATEWAY_URL_STRIPE')).toMatchObject({ is: 'warning' });
  expect(await doctorSays('GATEWAY_URL_STRIPE_SCRIPT')).toBeUndefined();
});
