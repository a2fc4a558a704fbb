import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchSandbox, type RunningSandbox } from '@counterfoil/sandbox/launch.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'sandbox-main-'));
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await launchSandbox({ directory });
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(directory, { recursive: true, force: true });
});

const ask = (path: string, init: RequestInit = {}) => fetch(`${sandbox.url}${path}`, init);
const portal = 'http://stripe.localhost:3000';

describe('the sandbox process', () => {
  it('says what it serves', async () => {
    expect(await (await ask('/_sandbox')).json()).toMatchObject({
      gateways: expect.arrayContaining(['stripe']),
    });
    expect((await ask('/elsewhere')).status).toBe(404);
    expect((await ask('/_sandbox/elsewhere')).status).toBe(404);
  });

  it('ends with one line when its port is taken, before it touches the journal', async () => {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url));
    const second = spawn(process.execPath, [main], {
      env: { SANDBOX_PORT: String(sandbox.port), SANDBOX_DIR: directory },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    second.stderr.on('data', (text: Buffer) => {
      said += text.toString('utf8');
    });
    expect(await once(second, 'exit')).toEqual([1, null]);
    expect(said).toBe(`sandbox: cannot listen on 127.0.0.1:${sandbox.port} (EADDRINUSE)\n`);
  });

  it('lets portals call the API from a browser, and other sites neither that nor the switches', async () => {
    const preflight = await ask('/v1/tokens', { method: 'OPTIONS', headers: { origin: portal } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(portal);
    const stranger = { origin: 'https://evil.example' };
    const call = await ask('/v1/tokens', { method: 'POST', headers: stranger, body: new URLSearchParams() });
    expect(call.headers.get('access-control-allow-origin')).toBeNull();
    expect((await ask('/_sandbox/reset', { method: 'POST', headers: stranger })).status).toBe(403);
  });

  it('refuses bodies over a megabyte, and control input that is no JSON object', async () => {
    expect((await ask('/v1/customers', { method: 'POST', body: 'x'.repeat(2_000_000) })).status).toBe(413);
    for (const body of ['nonsense', '[]', 'null', '{"advanceMs":"soon"}']) {
      expect((await ask('/_sandbox/clock', { method: 'POST', body })).status).toBe(400);
    }
  });

  it('serves scripts that a browser can read, and a frame that only portals may embed', async () => {
    for (const name of ['stripe.js', 'frame.js']) {
      const answer = await ask(`/stripe/v3/${name}`);
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      const text = await answer.text();
      // Parsing is the check: what is left of types or imports would be a syntax error.
      expect(() => new Function(text)).not.toThrow();
    }
    const frame = await ask('/stripe/v3/frame.html');
    expect(frame.headers.get('content-security-policy')).toContain('frame-ancestors http://localhost:*');
    expect((await ask('/stripe/v3/../sandbox.ts')).status).toBe(404);
    expect((await ask('/stripe/v3/constructor')).status).toBe(404);
  });

  it('takes its simulated time before and after a call', async () => {
    await ask('/_sandbox/settings', { method: 'POST', body: '{"delayMs":200}' });
    const started = performance.now();
    const body = new URLSearchParams({ name: 'Ada' });
    await ask('/v1/customers', { method: 'POST', body, headers: { authorization: 'Bearer sk_test_delay' } });
    expect(performance.now() - started).toBeGreaterThan(190);
    await ask('/_sandbox/settings', { method: 'POST', body: '{"delayMs":0}' });
  });

  it('ends on SIGTERM although a caller waits for an answer that never comes', async () => {
    const own = mkdtempSync(join(tmpdir(), 'sandbox-term-'));
    const other = await launchSandbox({ directory: own });
    const order = { gateway: 'stripe', operation: 'charge', mode: 'timeout-before', times: 1 };
    await fetch(`${other.url}/_sandbox/faults`, { method: 'POST', body: JSON.stringify(order) });
    const waiting = fetch(`${other.url}/v1/payment_intents`, {
      method: 'POST',
      body: new URLSearchParams({ amount: '900', currency: 'aud' }),
      headers: { authorization: 'Bearer sk_test_term' },
    });
    const cut = expect(waiting).rejects.toThrow('fetch failed');
    await expect
      .poll(async () => JSON.stringify(await (await fetch(`${other.url}/_sandbox/faults`)).json()))
      .toBe('{"faults":[]}');
    await other.stop('SIGTERM');
    await cut;
    expect(other.process.exitCode).toBe(0);
    rmSync(own, { recursive: true, force: true });
  });
});
