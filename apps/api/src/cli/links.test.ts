import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { useCommands } from '../../test/fixtures/test-commands.ts';
import { sampleUbl } from '../features/imports/invoices/sample-documents.ts';
import type { Running } from '../processes.ts';
import { leaveServerWord } from './running-server.ts';

const cli = useCommands();
const { json } = cli;
let server: Server;
let word: Running;
let port: number;
let file: string;

beforeAll(async () => {
  server = createServer((_request, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  word = await leaveServerWord(cli.folder, { url: `http://localhost:${port}` });
  file = join(cli.folder, 'invoice.xml');
  await writeFile(file, sampleUbl({ number: 'L-1' }));
});
afterAll(async () => {
  await word.stop();
  server.close();
});

/** What every command that prints links prints. */
async function printed(): Promise<readonly string[]> {
  const { invoices } = await json<{ invoices: { payLink: string }[] }>('import', file);
  const invoice = ['--customer', 'C-9', '--invoice', 'L-1'];
  const { payLink } = await json<{ payLink: string }>('payments', 'new-link', ...invoice);
  const code = ['login-code', '--user', 'ann@links.example', '--reason', 'x', '--customer', 'C-9'];
  const { url } = await json<{ url: string }>(...code);
  const issuer = ['--issuer', 'https://login.links.example', '--client-id', 'c'];
  const sso = ['sso', 'set', '--reseller', '4400', '--company', 'L', ...issuer, '--customer', 'C-9'];
  const { redirectUris } = await json<{ redirectUris: string[] }>(...sso);
  return [invoices[0]?.payLink ?? '', payLink, url, ...redirectUris].map((link) => new URL(link).origin);
}

it('links lead to the server that runs on this DATA_DIR, unless settings say where it is', async () => {
  vi.stubEnv('PORT', '');
  vi.stubEnv('PUBLIC_URL', '');
  await json('reseller', 'add', '--id', '4400', '--name', 'Links');
  const known = ['--ref', 'C-9', '--label', 'Harbour Office'];
  await json('customer', 'add', '--reseller', '4400', ...known);
  const ann = ['--email', 'ann@links.example', '--name', 'Ann', '--customer', 'C-9'];
  await json('user', 'add', '--reseller', '4400', ...ann);
  expect(new Set(await printed())).toEqual(new Set([`http://localhost:${port}`]));
  vi.stubEnv('PORT', '3999');
  expect(new Set(await printed())).toEqual(new Set(['http://localhost:3999']));
  vi.stubEnv('PUBLIC_URL', 'https://bills.links.example');
  expect(new Set(await printed())).toEqual(new Set(['https://bills.links.example']));
  vi.stubEnv('PORT', '');
  vi.stubEnv('PUBLIC_URL', '');
  await word.stop();
  expect(new Set(await printed())).toEqual(new Set(['http://localhost:3000']));
});
