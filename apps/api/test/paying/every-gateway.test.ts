import { gatewayCases } from '@counterfoil/gateways/cases-registry.ts';
import { resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import type { Action } from '@counterfoil/gateways/port/gateway.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { signInAt } from '../access-matrix/tenants.ts';
import { useSandboxFixture } from '../fixtures/paying/sandbox-fixture.ts';
import { faultRun } from '../processes/fault-runs.ts';

/**
 * Every gateway through the whole server and its sandbox: a method is entered as its page enters it, pays by a link, is saved and
 * pays again; and money calls go wrong on the way. Afterwards the sandbox's journal says what was really taken, and what the
 * books and the payer say must agree with it.
 */
const MODES = ['nothing', 'timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'malformed'];

const gateways = await Promise.all(
  gatewayModules.flatMap(({ manifest }) => {
    const load = gatewayCases[manifest.id];
    return load === undefined ? [] : [load().then(({ casesData }) => ({ manifest, data: casesData }))];
  }),
);

const cards = gateways.filter(({ data }) => data.good.kind === 'card');

describe.each(cards.map((one) => ({ name: one.manifest.displayName, ...one })))(
  '$name',
  ({ manifest, data }) => {
    const { settings, webhookSecret } = data.sandbox;
    const sandbox = useSandboxFixture(
      {},
      { account: { id: manifest.id, settings, ...(webhookSecret !== undefined && { webhookSecret }) } },
    );
    const run = faultRun(sandbox);
    afterEach(() => sandbox.control('DELETE', 'faults'));

    const { currencies, oneOff } = manifest.capabilities;
    const currency = data.good.currency ?? (currencies === 'any' ? 'AUD' : (currencies[0] ?? 'AUD'));
    const minor = data.good.minor ?? 5_000n;
    const amount = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
    const post = async (url: string, payload: object, headers: Record<string, string> = {}) => {
      const answer = await sandbox.fixture.app.inject({ method: 'POST', url, payload, headers });
      return { status: answer.statusCode, data: answer.json().data, body: answer.body };
    };
    /** Enters the good method as the payer's page does. */
    async function enter(prepared: { entryId: string; action: Action } | undefined) {
      const addresses = resolveAddresses(manifest, {
        [`GATEWAY_URL_${manifest.id.toUpperCase().replaceAll('-', '_')}`]: sandbox.sandboxUrl,
      });
      const input = await data.good.once({ settings, addresses, fetch }, prepared?.action);
      if (!('token' in input)) throw new Error('the good method is entered by a token');
      return {
        token: input.token,
        ...(input.beside && { beside: input.beside }),
        ...(prepared && { entryId: prepared.entryId }),
      };
    }
    const isPrepared = async () => {
      const account = await sandbox.fixture.engine.accounts.activeFor(sandbox.customer.resellerId);
      return account?.gateway.prepareEntry !== undefined;
    };
    const owner = {
      cardHolder: 'Ana Poe',
      email: 'ana@mail.example',
      billingAddress: { address: '1 High St', city: 'Leeds', state: 'WY', zip: 'LS1', country: 'GB' },
    };
    const bill = () =>
      sandbox.fixture.seedPayable(sandbox.customer, { currency, subtotalMinor: minor, taxMinor: 0n });
    const stateOf = async (invoiceId: string) =>
      (
        await run.rows<{ state: string; ref: string; captured: number }>(
          `select a.state, a.ref, coalesce(c.amount_minor, 0)::int as captured from attempt a
           join claim l on l.customer_id = a.customer_id and l.attempt_id = a.id
           left join capture c on c.customer_id = a.customer_id and c.attempt_id = a.id
          where l.invoice_id = $1 order by a.id desc limit 1`,
          [invoiceId],
        )
      )[0];

    it.skipIf(oneOff === 'no').each(MODES)('a link is paid: %s', async (mode) => {
      const invoice = await bill();
      const prepared = (await isPrepared())
        ? (await post(`/v1/ec/pay/${invoice.token}/entries`, { kind: 'card' })).data
        : undefined;
      const { token, ...more } = await enter(prepared);
      if (mode !== 'nothing')
        await sandbox.control('POST', 'faults', {
          gateway: manifest.id,
          operation: 'charge',
          mode,
          times: 1,
        });
      const body = {
        uid: invoice.token,
        invoiceAmount: amount,
        invoiceNumber: invoice.number,
        cardToken: token,
      };
      const paid = await post('/v1/ec/pay', { ...body, ...more, ...owner });
      expect(paid.status, paid.body).toBe(200);
      if (mode === 'nothing') expect(paid.data).toMatchObject({ status: 'succeeded' });
      // Sent again by an impatient payer.
      const told = [
        paid.data.status,
        (await post('/v1/ec/pay', { ...body, ...more, ...owner })).data?.status,
      ];
      await run.untilEnded();
      const after = await stateOf(invoice.id);
      const taken = (await sandbox.charges()).filter(({ reference }) => reference === after?.ref);
      expect(taken.length).toBeLessThanOrEqual(1);
      expect(['succeeded', 'absent', 'declined', 'notAttempted', 'needsReview']).toContain(after?.state);
      // What nobody can find out holds the invoice, until a person decides; all else agrees with the journal.
      if (after?.state !== 'needsReview') expect(after?.captured).toBe(taken[0]?.minor ?? 0);
      if (taken.length > 0) expect(told).not.toContain('failed');
    });

    it.skipIf(manifest.saved === undefined)('a method is saved, shown, and pays', async () => {
      const { customer } = sandbox;
      const user = await sandbox.fixture.make.user({
        resellerId: customer.resellerId,
        customerIds: [customer.id],
      });
      const { access_token: access } = await signInAt(sandbox.fixture, user.id, 'test');
      const headers = { authorization: `Bearer ${access}` };
      const cardsAt = manifest.saved?.paths.cards ?? '';
      const prepared = (await isPrepared())
        ? (await post('/v1/ec/payments/entries', { purpose: 'save', kind: 'card' }, headers)).data
        : undefined;
      const saved = await post(cardsAt, { ...(await enter(prepared)), ...owner }, headers);
      expect(saved.data, saved.body).toMatchObject({ status: 'succeeded' });
      const listed = await sandbox.fixture.app.inject({ url: cardsAt, headers });
      expect(listed.json().data).toMatchObject([{ id: saved.data.source.id, isDefault: true, kind: 'card' }]);
      const invoice = await bill();
      const intent = await post('/v1/ec/payments/intents', { invoiceIds: [invoice.id] }, headers);
      const paid = await post(
        '/v1/ec/payments/pay/bulk',
        { uid: intent.data.sessionId, cardId: saved.data.source.id },
        headers,
      );
      expect(paid.data, paid.body).toMatchObject({ status: 'succeeded' });
      expect((await stateOf(invoice.id))?.captured).toBe(Number(minor));
      const gone = await sandbox.fixture.app.inject({
        method: 'DELETE',
        url: `${cardsAt}/${saved.data.source.id}`,
        headers,
      });
      expect(gone.statusCode).toBe(204);
    });
  },
);
