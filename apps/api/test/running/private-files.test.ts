import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseAccount } from '@counterfoil/postgres/account.ts';
import { startProcess, type TestProcess } from '@counterfoil/testing/processes.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaveSandboxWord } from '../../src/cli/demo-sandbox.ts';
import { diskStore } from '../../src/files/disk-store.ts';
import { createMailer } from '../../src/mail/mailer.ts';
import { MARCH } from '../fixtures/report-fixture.ts';
import { useCommands } from '../fixtures/test-commands.ts';
import { serverMain } from '../processes/server-main.ts';

const commands = useCommands();
let folder: string;
let dataDir: string;
let before: number;
let running: TestProcess[] = [];
const PASSWORD = 'Harbour!47lantern';

beforeEach(() => {
  // The most careless account: without a word of the program everything it makes is everybody's.
  before = process.umask(0);
  folder = mkdtempSync(join(tmpdir(), 'private-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  running = [];
  process.umask(before);
  rmSync(folder, { recursive: true, force: true });
});

const rightsOf = (path: string) => lstatSync(path).mode & 0o777;

/** All below a folder that others have any right in, as '644 outbox/1.eml'. */
const openIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => !lstatSync(join(path, name)).isSymbolicLink() && (rightsOf(join(path, name)) & 0o077) !== 0,
    )
    .map((name) => `${rightsOf(join(path, name)).toString(8)} ${name}`);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** What an earlier version left: all of it readable for everybody. */
function leaveOpen(): void {
  mkdirSync(join(dataDir, 'outbox'), { recursive: true, mode: 0o755 });
  mkdirSync(join(dataDir, 'files', 'reports'), { recursive: true, mode: 0o755 });
  for (const name of ['outbox/old.eml', 'files/reports/old.csv', 'postgres.log', 'secret.key'])
    writeFileSync(join(dataDir, name), 'a key of more than thirty-two characters\n', { mode: 0o644 });
  writeFileSync(join(folder, 'theirs'), '', { mode: 0o644 });
  symlinkSync(join(folder, 'theirs'), join(dataDir, 'files', 'link'));
}

describe('the data folder of a whole installation', () => {
  it('is its owner’s alone, whatever made it: database, keys, mails, reports, sandbox, and what was there', async () => {
    leaveOpen();
    const port = await freePort();
    await startHere([serverMain(), 'start'], /^ready /, {
      DATA_DIR: dataDir,
      DEMO: '0',
      PORT: `${port}`,
      LOG_LEVEL: 'error',
    });
    const sandbox = { SANDBOX_DIR: join(dataDir, 'sandbox'), SANDBOX_PORT: '0' };
    await startHere(['apps/sandbox/src/main.ts'], /sandbox/, sandbox);
    await makeFiles(`http://127.0.0.1:${port}`);
    const made = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    for (const kind of [
      /^outbox\/(?!old).*\.eml$/,
      /^files\/reports\/.+\.csv$/,
      /^sandbox\/./,
      /^postgres\/base\/./,
    ])
      expect(made).toContainEqual(expect.stringMatching(kind));
    expect(openIn(dataDir)).toEqual([]);
    // The database's account, where it is another, may pass through to its own files; nobody may look.
    const account = databaseAccount();
    expect(rightsOf(dataDir)).toBe(account === undefined ? 0o700 : 0o710);
    if (account !== undefined) expect(statSync(dataDir).gid).toBe(account.gid);
    expect(rightsOf(join(folder, 'theirs'))).toBe(0o644);
  });
});

async function startHere(command: string[], ready: RegExp, env: Record<string, string>): Promise<void> {
  running.push(await startProcess({ command, ready, env }));
}

/** A user of that installation, who gets a reset mail into the outbox and asks for a report. */
async function makeFiles(url: string): Promise<void> {
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('SECRET_KEY', '');
  vi.stubEnv('DATA_DIR', dataDir);
  const email = 'mia@harbour.example';
  await commands.json('reseller', 'add', '--id', '4100', '--name', 'Northline');
  const customer = await commands.json<{ id: string }>(
    'customer',
    'add',
    '--reseller',
    '4100',
    '--label',
    'Harbour',
  );
  await commands.json(
    'user',
    'add',
    '--reseller',
    '4100',
    '--email',
    email,
    '--name',
    'Mia',
    '--customer',
    customer.id,
    '--password',
    PASSWORD,
  );
  const form = {
    grant_type: 'password',
    client_id: 'counterfoil-portal',
    username: email,
    password: PASSWORD,
  };
  const signedIn = await fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, answer.ok]).toEqual([path, true]);
  };
  await post('/v1/ec/password-reset-request', { email });
  await post('/v1/ec/reports', { id: 'invoice-details', parameters: MARCH });
  const names = (sub: string) => readdirSync(join(dataDir, sub), { recursive: true, encoding: 'utf8' });
  await vi.waitFor(
    () => {
      expect(names('outbox').filter((name) => name.endsWith('.eml'))).toHaveLength(2);
      expect(names('files').filter((name) => name.endsWith('.csv'))).toHaveLength(2);
    },
    { timeout: 30_000, interval: 100 },
  );
}

describe('whoever writes', () => {
  it.each([0o000, 0o022, 0o077])('keeps mails and files private under umask %o', async (umask) => {
    process.umask(umask);
    const mail = {
      to: 'a@x.example',
      from: { name: '', address: 'us@x.example' },
      subject: 's',
      text: 't',
      html: '<p>t</p>',
      messageId: '<1@x>',
    };
    await createMailer({ smtpUrl: undefined, dataDir }).send(mail);
    await diskStore(new URL(`file://${dataDir}/files/`)).write(
      'reports/a.csv',
      (async function* () {
        yield Buffer.from('x');
      })(),
    );
    await leaveSandboxWord(dataDir, 'http://127.0.0.1:1');
    expect(openIn(folder).filter((name) => !name.endsWith(' data'))).toEqual([]);
    const [name = ''] = readdirSync(join(dataDir, 'outbox'));
    expect(rightsOf(join(dataDir, 'outbox', name))).toBe(0o600);
    expect(readFileSync(join(dataDir, 'outbox', name), 'utf8')).toContain('Subject: s');
  });
});

describe('doctor', () => {
  type Finding = { readonly what: string; readonly is: string; readonly found: string };
  const files = async () =>
    (JSON.parse((await commands.run('doctor', '--json')).out) as { findings: Finding[] }).findings.find(
      ({ what }) => what === 'files',
    );

  it('tells what others could read, and closes it', async () => {
    leaveOpen();
    vi.stubEnv('DATA_DIR', dataDir);
    expect(await files()).toEqual({
      what: 'files',
      is: 'warning',
      found: expect.stringMatching(
        /^other accounts could read 8 in DATA_DIR until now, such as \w.* \(7?[56]\d\d?\)/,
      ),
    });
    expect(openIn(dataDir)).toEqual([]);
    expect(rightsOf(dataDir)).toBe(0o700);
    expect(rightsOf(join(folder, 'theirs'))).toBe(0o644);
    expect(await files()).toMatchObject({ is: 'ok', found: 'no other account can read DATA_DIR' });
    chmodSync(dataDir, 0o755);
    expect(await files()).toMatchObject({
      is: 'warning',
      found: expect.stringContaining('DATA_DIR itself (755)'),
    });
    expect(existsSync(join(dataDir, 'outbox', 'old.eml'))).toBe(true);
  });
});
