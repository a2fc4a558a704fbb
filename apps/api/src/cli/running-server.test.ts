import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beOnlyStart, leaveServerWord, readRunningServer } from './running-server.ts';

let dataDir: string;
let server: Server;
let url: string;
let answer: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-word-'));
  answer = '{"status":"ok"}';
  server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('is told where it answers, and not after its end', async () => {
  expect(await readRunningServer(dataDir)).toBeUndefined();
  const word = await leaveServerWord(dataDir, { url });
  expect(await readRunningServer(dataDir)).toEqual({ url, pid: process.pid });
  await word.stop();
  expect(readdirSync(dataDir)).toEqual([]);
});

it('is not told where something else answers, or nothing, or who left the word has died', async () => {
  await leaveServerWord(dataDir, { url });
  answer = 'another program';
  expect(await readRunningServer(dataDir)).toBeUndefined();
  answer = '{"status":"ok"}';
  const dead = spawn('/bin/true');
  await once(dead, 'exit');
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ url, pid: dead.pid }));
  expect(await readRunningServer(dataDir)).toBeUndefined();
  writeFileSync(join(dataDir, 'server.json'), 'no word');
  expect(await readRunningServer(dataDir)).toBeUndefined();
});

it('keeps the word of another that came later', async () => {
  const word = await leaveServerWord(dataDir, { url });
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ url, pid: process.ppid }));
  await word.stop();
  expect(await readRunningServer(dataDir)).toEqual({ url, pid: process.ppid });
});

it('is one start at a time: another says where the first is, or that it says nothing yet, and may begin after it', async () => {
  const first = await beOnlyStart(dataDir);
  const place = `${dataDir} (DATA_DIR)`;
  await expect(beOnlyStart(dataDir, 0)).rejects.toThrow(
    `one is starting or ending on ${place}: process ${process.pid}; wait for it, or end it first`,
  );
  const word = await leaveServerWord(dataDir, { url });
  await expect(beOnlyStart(dataDir, 0)).rejects.toThrow(
    `one runs already on ${place}: ${url}, process ${process.pid}`,
  );
  await word.stop();
  const second = beOnlyStart(dataDir);
  await first.release();
  await (await second).release();
});
