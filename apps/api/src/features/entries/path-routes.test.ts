import type { EntryRequest } from '@counterfoil/gateways/port/gateway.ts';
import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { bulkPayer } from '../../../test/fixtures/paying/bulk-fixture.ts';
import { fixture, paths, person } from '../../../test/fixtures/paying/methods-fixture.ts';

/** The calls by which the specification has a gateway's form prepared, as the scripted gateway declares them. */
const CARDS = '/v1/ec/scripted/cards';
let prepared: EntryRequest[] = [];

beforeEach(() => {
  prepared = [];
  fixture.gateway.onPrepareEntry = async (request) => {
    prepared.push(request);
    return {
      is: 'ready',
      action: {
        do: 'form',
        url: 'https://gateway.example/form',
        fields: { ref: request.ref, note: '"><script>' },
        origins: ['https://gateway.example'],
      },
      state: { key: request.ref },
      until: new Date(fixture.clock.now().getTime() + 60_000),
    };
  };
  fixture.gateway.onReadCallback = () => ({ is: 'entered', input: { token: 'tok_framed' } });
});

/** The entry that a frame's markup names. */
function entryIn(answer: LightMyRequestResponse): string {
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const [, entryId = ''] = /data-entry="([\w-]+)"/.exec(answer.body) ?? [];
  return entryId;
}
const callback = async (entryId: string) =>
  expect(
    (
      await fixture.app.inject({
        method: 'POST',
        url: `/v1/entries/${entryId}/callback`,
        payload: { a: 'b' },
      })
    ).statusCode,
  ).toBe(204);

describe('markup of a form', () => {
  it('saves a card or an account, as its address says', async () => {
    const me = await person({ brand: { directDebitPaymentMethodId: 1 } });
    const answer = await me.call('GET', `${CARDS}/CC/templates`);
    const entryId = entryIn(answer);
    expect(answer.body).toContain(`name="ref" value="${prepared[0]?.ref}"`);
    expect(answer.body).not.toContain('"><script>');
    expect(answer.headers['content-security-policy']).toContain('form-action https://gateway.example;');
    await callback(entryId);
    expect((await me.call('POST', paths.cards, { entryId })).json().data.status).toBe('succeeded');
    entryIn(await me.call('GET', `${CARDS}/ACH/templates`));
    expect(prepared.map(({ purpose, kind, scheme }) => [purpose, kind, scheme])).toEqual([
      ['save', 'card', undefined],
      ['save', 'bank', 'own_debit'],
    ]);
  });

  it('pays a session, and a link', async () => {
    const me = await bulkPayer();
    const [one, two] = await me.invoices(2);
    const { sessionId } = await me.intent([one?.id ?? '']);
    const entryId = entryIn(await me.call('GET', `/v1/ec/scripted/pay/bulk-template/${sessionId}`));
    await callback(entryId);
    expect((await me.paid(sessionId, { entryId, cardHolder: 'Jo Fox' })).status).toBe('succeeded');
    const linked = entryIn(await fixture.app.inject(`/v1/ec/pay/${two?.token}/template`));
    await callback(linked);
    const paid = await fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/pay',
      payload: { uid: two?.token, invoiceAmount: '110.00', invoiceNumber: two?.number, entryId: linked },
    });
    expect(paid.json().data.status).toBe('succeeded');
  });

  it('is there for nobody whose gateway does not declare it, and makes nothing', async () => {
    const me = await person();
    const { saved } = fixture.gateway.module.manifest;
    const before = saved?.entryPaths;
    Object.assign(saved ?? {}, { entryPaths: [] });
    const answer = await me.call('GET', `${CARDS}/CC/templates`);
    Object.assign(saved ?? {}, { entryPaths: before });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'request.notFound']);
    expect(prepared).toEqual([]);
  });
});

it('what the provider’s script needs is answered as the gateway presents it, with the entry', async () => {
  const me = await person();
  const until = new Date(fixture.clock.now().getTime() + 60_000);
  fixture.gateway.onPrepareEntry = async () => ({
    is: 'ready',
    action: { do: 'browser', config: { key: 'auth_1' } },
    state: {},
    until,
  });
  const asked = { emailAddress: 'jo@mail.example', token: null };
  const answer = await me.call('POST', `${CARDS}/tokenize`, asked);
  expect(answer.json().data).toEqual({ authKey: 'auth_1', entryId: expect.any(String) });
});
