import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import type { Demo } from './demo.ts';
import { Providers } from './provider.ts';
import { Sandbox } from './sandbox.ts';
import { StackControl, type StackName } from './stack/control.ts';
import type { StackFacts } from './stack/portal-stack.ts';

/** A running stack, as a test sees it. */
export interface Stack extends StackFacts {
  readonly control: StackControl;
  readonly world: Demo;
  /** Address of a host name on the stack's port, e.g. `split.localhost`. */
  at(host: string): string;
  readonly sandbox: Sandbox;
  /** Mails in the outbox that name this address as a recipient. */
  mailsTo(address: string): string[];
}

interface WorkerFixtures {
  readonly stackName: StackName;
  readonly stack: Stack;
  readonly providers: Providers;
}

interface TestFixtures {
  /** Fails the test on what a person's browser console must not show. */
  readonly cleanConsole: ConsoleWatch;
}

/** What a page may complain of: each entry lets matching messages pass. */
export interface ConsoleWatch {
  allow(pattern: RegExp): void;
}

/** An answer that is no 2xx shows in the console of every page that handles it well. */
const HARMLESS = [
  /Failed to load resource/,
  /net::ERR_/,
  // A second try keeps a trace, and that puts a script into each frame: the frame of a preview runs none.
  /^Blocked script execution in '[^']*\/brand-preview\/[^']*'/,
];

export const test = base.extend<TestFixtures, WorkerFixtures>({
  stackName: ['embedded', { scope: 'worker', option: true }],
  stack: [
    async ({ stackName }, use) => {
      const control = new StackControl(process.env['E2E_CONTROL'] ?? '', stackName);
      const facts = await control.facts();
      if (facts === null) throw new Error(`there is no ${stackName} stack here`);
      await use({
        ...facts,
        control,
        world: JSON.parse(facts.demo ?? '{}') as Demo,
        at: (host) => `http://${host}:${facts.port}`,
        sandbox: new Sandbox(facts.sandboxUrl),
        mailsTo: (address) => outbox(facts.dataDir).filter((mail) => recipients(mail).includes(address)),
      });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  providers: [
    async ({ stack }, use) => {
      const providers = new Providers(stack);
      await use(providers);
      await providers.end();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
  cleanConsole: [
    async ({ context }, use) => {
      const allowed = [...HARMLESS];
      const seen: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error') seen.push(message.text());
      });
      context.on('weberror', (error) => seen.push(String(error.error())));
      await use({ allow: (pattern) => allowed.push(pattern) });
      expect(seen.filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

function outbox(dataDir: string): string[] {
  const folder = join(dataDir, 'outbox');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8'));
}

const recipients = (mail: string): string => /^To: (.*)$/m.exec(mail)?.[1] ?? '';

/** Who signs in: a demo user or a provider's. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Signs in by the form, on the page's brand host. */
export async function signInByForm(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Username').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** A session as `/token` answers it. */
export interface Auth {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A session by the call itself. */
export async function newSession(stack: Stack, person: Person): Promise<Auth> {
  const response = await fetch(`http://127.0.0.1:${stack.port}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'counterfoil-portal',
      grant_type: 'password',
      username: person.email,
      password: person.password,
    }),
  });
  if (!response.ok) throw new Error(`${person.email} cannot sign in: ${await response.text()}`);
  return (await response.json()) as Auth;
}

/** The HTTP status that `me` answers to an access token: 200, or 401 once its session has ended. */
export async function statusOfMe(stack: Stack, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`http://127.0.0.1:${stack.port}/v1/ec/me`, { headers })).status;
}

/** Puts a session into the browser for an origin, as if somebody had signed in there. */
export async function signedIn(page: Page, stack: Stack, person: Person, origin = stack.url): Promise<Auth> {
  const auth = await newSession(stack, person);
  await page.goto(`${origin}/healthz`);
  await page.evaluate((text) => globalThis.localStorage.setItem('auth', text), JSON.stringify(auth));
  return auth;
}
