import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { debitSchemes } from '@counterfoil/gateways/port/saved-manifest.ts';
import { startProcess } from '@counterfoil/testing/processes.ts';
import { describe, expect, it } from 'vitest';
import type { Asking } from '../../fixtures/operations-fixture.ts';
import { useGatewayRun } from '../../fixtures/paying/gateways/gateway-run.ts';
import { killedFixture } from '../../fixtures/paying/gateways/killed-fixture.ts';
import {
  databaseTexts,
  filesBelow,
  heapArgs,
  heapOf,
  newCardNumber,
  newDigits,
  numbersIn,
  numbersInPages,
} from '../../fixtures/paying/gateways/number-hunt.ts';
import { testedGateways } from '../../fixtures/paying/gateways/tested-gateways.ts';
import { serverMain } from '../../processes/server-main.ts';

/**
 * Every gateway to which numbers may pass this server, through its real adapter: paid by link and in bulk, saved, lost on the way and
 * refused. Afterwards they are nowhere but at the provider: not in the memory of the server, its log at its most talkative, its
 * mails and other files, the database and its log of writes, nor in what the sandbox keeps.
 */
const takesNumbers = testedGateways.flatMap((gateway) => {
  const { entry } = gateway.manifest.capabilities;
  const kinds = (['card', 'bank'] as const).filter((kind) =>
    entry[kind]?.some(({ how }) => how === 'ownFieldsToUs'),
  );
  return kinds.length === 0 ? [] : [{ name: gateway.name, gateway, kinds }];
});
const CODE = '731';

describe.each(takesNumbers)('$name', ({ gateway, kinds }) => {
  const { manifest, minor } = gateway;
  const me = useGatewayRun(
    gateway,
    {},
    {
      accountSettings: Object.fromEntries(
        kinds.map((kind) => [kind === 'card' ? 'cardEntry' : 'bankEntry', 'ownFieldsToUs']),
      ),
    },
  );
  const { sandbox, run } = me;
  const killed = killedFixture(sandbox, run, 0);
  const debit = debitSchemes(manifest.saved).find(({ scheme }) => scheme === gateway.methods.bank?.scheme);

  const numbers: string[] = [];
  /** A method that was never used, as a form of our own has it. */
  function form(kind: MethodKind): Readonly<Record<string, unknown>> {
    const number = kind === 'card' ? newCardNumber() : newDigits(12);
    numbers.push(number);
    if (kind === 'card')
      return { cardNumber: number, expirationDate: '2031-08', cardCode: CODE, cardHolder: 'Ana Poe' };
    const names = new Set(debit?.fields.map(({ name }) => name));
    return {
      [names.has('accountNumber') ? 'accountNumber' : 'bankAccountNumber']: number,
      routingNumber: '121042882',
      accountType: 'checking',
      bankName: 'First Bank',
      nameOnAccount: 'Ana Poe',
      accountHolderName: 'Ana Poe',
      paymentMethodType: debit?.scheme,
      mandateAccepted: true,
      mandateVersion: debit?.mandate?.version,
    };
  }
  const address = { address: '1 High St', city: 'Leeds', state: 'WY', zip: 'LS1', country: 'GB' };
  const link = async (kind: MethodKind, more: object = {}): Promise<Asking> => {
    const { token, number } = await (await me.person()).bill();
    const amount = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
    const members = { uid: token, invoiceNumber: number, invoiceAmount: amount, email: 'ana@mail.example' };
    const body = { ...members, billingAddress: address, ...form(kind), ...more };
    return { path: '/v1/ec/pay', headers: {}, body };
  };
  const save = async (kind: MethodKind): Promise<Asking> => {
    const who = await me.person();
    const path = manifest.saved?.paths[kind === 'card' ? 'cards' : 'accounts'] ?? '';
    const body = { ...form(kind), billingAddress: address, email: 'ana@mail.example' };
    return { path, headers: await who.headers(), body };
  };
  const bulk = async (): Promise<Asking> => {
    const who = await me.person();
    const { path, headers, body } = await who.bulk([await who.bill()], '');
    const { uid } = body as { uid: string };
    return { path, headers, body: { uid, ...form('card'), billingAddress: address } };
  };

  it('numbers are nowhere but at the provider afterwards, however they came and whatever went wrong', {
    timeout: 180_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'numbers-'));
    const env = Object.assign(killed.env(), { LOG_LEVEL: 'trace' });
    const command = [serverMain(), 'serve', '--json'];
    const server = await startProcess({ command, env, ready: /^\{"ready"/, nodeArgs: heapArgs(folder) });
    const worker = await killed.work();
    try {
      const { listening } = JSON.parse(server.readyLine) as { listening: string };
      const answers: string[] = [];
      const ask = async ({ path, headers, body }: Asking, sent = JSON.stringify(body)) => {
        await run.rows('delete from rate_limit');
        const answer = await fetch(new URL(path, listening), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: sent,
        });
        const text = await answer.text();
        answers.push(text);
        return { status: answer.status, text, said: JSON.parse(text).data?.status as unknown };
      };
      for (const kind of kinds) {
        const goes = kind === 'card' ? 'succeeded' : 'processing';
        const paid = await ask(await link(kind));
        expect([paid.status, paid.said], paid.text).toEqual([200, goes]);
        const saved = await ask(await save(kind));
        expect([saved.status, saved.said], saved.text).toEqual([200, 'succeeded']);
        for (const mode of ['error-500-after', 'reset-after', 'malformed']) {
          await me.fault('charge', mode);
          expect((await ask(await link(kind))).status).toBe(200);
          await sandbox.control('DELETE', 'faults');
          await me.fault('save', mode);
          expect([200, 400, 503]).toContain((await ask(await save(kind))).status);
          await sandbox.control('DELETE', 'faults');
        }
        // Beside another method, and in a body that ends too soon.
        const beside = await ask(await link(kind, { cardToken: gateway.data.decline, beside: { a: 'b' } }));
        expect(beside.status, beside.text).toBe(400);
        const cut = await link(kind);
        expect((await ask(cut, JSON.stringify(cut.body).slice(0, -1))).status).toBe(400);
      }
      if (kinds.includes('card')) expect((await ask(await bulk())).said).toBe('succeeded');

      const mails = () => filesBelow(env.DATA_DIR ?? '').filter(({ path }) => path.endsWith('.eml'));
      await expect.poll(() => mails().length, { timeout: 30_000 }).toBeGreaterThan(0);
      const taken = (await sandbox.charges()).length;
      expect(taken).toBeGreaterThan(1);

      const heap = await heapOf(server.pid, folder);
      // What must be found, so that a search that finds nothing is seen.
      expect(heap.includes(env.SECRET_KEY ?? '')).toBe(true);
      expect(numbersIn(heap, numbers)).toEqual([]);
      // Of the code only what stands around it tells.
      for (const around of [`"cardCode":"${CODE}"`, `\\"cardCode\\":\\"${CODE}\\"`, `>${CODE}</`])
        expect(heap.includes(around)).toBe(false);
      if (process.platform === 'linux') expect(numbersInPages(server.pid, numbers)).toEqual([]);
      const log = [...server.lines, ...worker.lines].join('\n');
      expect(log).toContain('/v1/ec/pay');
      expect(numbersIn(log, numbers)).toEqual([]);
      expect(numbersIn(answers.join('\n'), numbers)).toEqual([]);
      const { rows, wal } = await databaseTexts(sandbox.fixture.database.pool());
      expect(rows).toContain('ana@mail.example');
      expect(numbersIn(rows, numbers)).toEqual([]);
      for (const part of wal) expect(numbersIn(part, numbers)).toEqual([]);
      const kept = filesBelow(sandbox.sandboxDir);
      expect(kept.some(({ bytes }) => bytes.includes('"charge"'))).toBe(true);
      for (const { path, bytes } of [...filesBelow(env.DATA_DIR ?? ''), ...kept])
        expect(numbersIn(bytes, numbers), path).toEqual([]);
      process.stdout.write(
        `${gateway.name}: ${numbers.length} numbers sent, ${taken} charges, none found in ${heap.length} bytes of heap, ${log.length} of log, ${rows.length} of rows\n`,
      );
    } finally {
      await worker.kill();
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
