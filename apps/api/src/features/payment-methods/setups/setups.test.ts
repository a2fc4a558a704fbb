import { describe, expect, it, vi } from 'vitest';
import {
  fixture,
  hook,
  paths,
  person,
  refOf,
  rows,
  states,
} from '../../../../test/fixtures/paying/methods-fixture.ts';
import { methodRounds, reconcileMethods } from '../tasks.ts';

const card = (token: string, over: object = {}) => fixture.gateway.card(token, over);
const redirect = (step: Readonly<Record<string, string>>) =>
  ({ is: 'continue', action: { do: 'redirect', to: 'https://bank.example/c' }, state: step }) as const;
const declined = {
  is: 'refused',
  why: { class: 'otherMethod', code: 'x', text: 'Your card was declined' },
} as const;

/** A card that the bank wants to see its holder for. */
async function challenged() {
  const me = await person();
  fixture.gateway.onCompleteSetup = async ({ step }) => redirect(step);
  const answer = await me.call('POST', paths.cards, { token: 'tok_3ds' });
  const { reqUid, ...told } = answer.json().data as { reqUid: string };
  const result = async (body: object = {}) => me.call('POST', `${paths.setup}/result`, { reqUid, ...body });
  return { me, told, reqUid, result };
}

describe('a card that needs its holder', () => {
  it('sends the browser to the bank, which comes back to /payment-types and is finished once', async () => {
    const { me, told, reqUid, result } = await challenged();
    expect(told).toEqual({ status: 'requires_action', redirectToUrl: 'https://bank.example/c' });
    const [row] = await rows<{ return_to: string }>('select return_to from method_setup where id = $1', [
      reqUid,
    ]);
    expect(row?.return_to).toMatch(new RegExp(`/payment-types\\?req_uid=${reqUid}$`));
    expect((await result()).json().data.status).toBe('requires_action');
    fixture.gateway.onCompleteSetup = async () => ({ is: 'saved', method: card('tok_3ds') });
    const both = await Promise.all([result(), result()]);
    for (const done of both)
      expect(done.json().data).toMatchObject({ status: 'succeeded', source: { last4: '4242' } });
    expect((await result()).json().data.status).toBe('succeeded');
    expect(await me.cards()).toHaveLength(1);
  });

  it('that never comes back is saved by the reconciler, or by an event', async () => {
    const one = await challenged();
    fixture.gateway.onCompleteSetup = async () => ({ is: 'saved', method: card('tok_a') });
    fixture.clock.advance(61_000);
    await reconcileMethods(fixture.engine);
    expect(await one.me.cards()).toHaveLength(1);
    const two = await challenged();
    fixture.gateway.onCompleteSetup = async () => ({ is: 'saved', method: card('tok_b') });
    await hook(two.me.resellerId, { ref: await refOf(two.me.customerId) }, {});
    expect(await two.me.cards()).toHaveLength(1);
  });

  it('is found out while the gateways of other providers hang, in that round and a later one', async () => {
    const hanging = new Set<string>();
    for (let n = 0; n < 3; n += 1) hanging.add(await refOf((await challenged()).me.customerId));
    const one = await challenged();
    const { promise, resolve } = Promise.withResolvers<void>();
    fixture.gateway.onCompleteSetup = async ({ ref, step }) => {
      if (!hanging.has(ref)) return { is: 'saved', method: card(`tok_${ref}`) };
      await promise;
      return redirect(step);
    };
    fixture.clock.advance(61_000);
    const rounds = methodRounds(fixture.engine);
    await rounds.round();
    await vi.waitFor(async () => expect(await one.me.cards()).toHaveLength(1), 10_000);
    const later = await challenged();
    fixture.gateway.onCompleteSetup = async ({ ref }) => ({ is: 'saved', method: card(`tok_${ref}`) });
    fixture.clock.advance(61_000);
    await rounds.round();
    await vi.waitFor(async () => expect(await later.me.cards()).toHaveLength(1), 10_000);
    resolve();
    await rounds.stop();
  });

  it('that the bank refuses is told so', async () => {
    const { me, result } = await challenged();
    fixture.gateway.onCompleteSetup = async () => declined;
    const answer = await result();
    expect([answer.statusCode, answer.json().message]).toEqual([402, 'Your card was declined']);
    expect(await me.cards()).toEqual([]);
  });

  it('that is abandoned ends after a day; completed after all it is kept', async () => {
    const { me } = await challenged();
    fixture.clock.advance(24 * 3_600_000);
    await reconcileMethods(fixture.engine);
    expect(await states(me.customerId, 'method_setup')).toEqual([{ state: 'expired', n: 1 }]);
    fixture.gateway.onCompleteSetup = async () => ({ is: 'saved', method: card('tok_late') });
    await hook(me.resellerId, { ref: await refOf(me.customerId) });
    expect(await me.cards()).toHaveLength(1);
    expect(await states(me.customerId, 'method_setup')).toEqual([{ state: 'saved', n: 1 }]);
  });

  it('is not visible to other customers', async () => {
    const { reqUid } = await challenged();
    const other = await person();
    const answer = await other.call('POST', `${paths.setup}/result`, { reqUid });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'paymentMethod.noSetUp']);
  });
});

describe('when the answer is lost', () => {
  it('between gateway and database, the card is found again', async () => {
    const me = await person();
    let isSaved = false;
    fixture.gateway.onCompleteSetup = async ({ input, step }) => {
      if ('token' in input) {
        isSaved = true;
        vi.spyOn(fixture.deps.databases.web, 'transaction').mockRejectedValueOnce(new Error('broken'));
      }
      return isSaved ? { is: 'saved', method: card('tok_1') } : redirect(step);
    };
    const answer = await me.call('POST', paths.cards, { token: 'tok_1' });
    expect(answer.json().data).toMatchObject({ status: 'processing', expected: 'seconds' });
    expect(await me.cards()).toEqual([]);
    // Pressed again meanwhile: the same setup.
    expect((await me.call('POST', paths.cards, { token: 'tok_1' })).json().data.reqUid).toBe(
      answer.json().data.reqUid,
    );
    fixture.clock.advance(26_000);
    await reconcileMethods(fixture.engine);
    expect(await me.cards()).toHaveLength(1);
    expect(await me.defaults()).toHaveLength(1);
  });

  it('of the start, it is started again under the same reference, and the token never sent again', async () => {
    const me = await person();
    const begun: string[] = [];
    const onBeginSetup = fixture.gateway.onBeginSetup;
    fixture.gateway.onBeginSetup = async (request) => {
      begun.push(request.ref);
      if (begun.length === 1) return { payer: undefined, result: { is: 'unknown', evidence: 'cut' } };
      return onBeginSetup(request);
    };
    let tokens = 0;
    fixture.gateway.onCompleteSetup = async ({ input, step }) => {
      if ('token' in input) tokens += 1;
      return { is: 'continue', action: { do: 'browser', config: {} }, state: step };
    };
    const answer = await me.call('POST', paths.cards, { token: 'tok_1' });
    expect(answer.json().data.status).toBe('processing');
    fixture.clock.advance(5_000);
    await reconcileMethods(fixture.engine);
    expect(begun).toHaveLength(2);
    expect(new Set(begun).size).toBe(1);
    expect(tokens).toBe(0);
    const told = await me.call('POST', `${paths.setup}/result`, { reqUid: answer.json().data.reqUid });
    expect([told.statusCode, told.json().code]).toEqual([400, 'paymentMethod.refused']);
  });

  it('an unknown outcome is found out, whatever was told first', async () => {
    const me = await person();
    fixture.gateway.onCompleteSetup = async () => ({ is: 'unknown', evidence: 'time-out' });
    const { reqUid } = (await me.call('POST', paths.cards, { token: 'tok_1' })).json().data;
    fixture.gateway.onCompleteSetup = async () => ({ is: 'saved', method: card('tok_1') });
    const told = await me.call('POST', `${paths.setup}/result`, { reqUid });
    expect(told.json().data.status).toBe('succeeded');
    expect(await me.cards()).toHaveLength(1);
  });

  it('an adapter that throws leaves nothing behind that is not found out', async () => {
    const me = await person();
    fixture.gateway.onCompleteSetup = async () => {
      throw new Error('broken');
    };
    expect((await me.call('POST', paths.cards, { token: 'tok_1' })).json().data.status).toBe('processing');
    fixture.gateway.onCompleteSetup = async () => declined;
    fixture.clock.advance(5_000);
    await reconcileMethods(fixture.engine);
    expect(await states(me.customerId, 'method_setup')).toEqual([{ state: 'refused', n: 1 }]);
  });

  it('an event that is early changes nothing while the answer is under way', async () => {
    const me = await person();
    let meanwhile: unknown;
    fixture.gateway.onCompleteSetup = async ({ input, step }) => {
      if (!('token' in input)) return { is: 'continue', action: { do: 'browser', config: {} }, state: step };
      await hook(me.resellerId, { ref: await refOf(me.customerId) });
      meanwhile = await states(me.customerId, 'method_setup');
      return { is: 'saved', method: card('tok_1') };
    };
    expect((await me.call('POST', paths.cards, { token: 'tok_1' })).json().data.status).toBe('succeeded');
    expect(meanwhile).toEqual([{ state: 'sending', n: 1 }]);
  });
});

describe('a set-up for the provider’s script', () => {
  it('is used again while it is open', async () => {
    const me = await person();
    const [one, two] = await Promise.all([me.call('GET', paths.setup), me.call('GET', paths.setup)]);
    const three = await me.call('GET', paths.setup);
    const good = [one, two, three].filter((answer) => answer.statusCode === 200);
    expect(new Set(good.map((answer) => answer.json().data.reqUid)).size).toBe(1);
    expect(three.json().data).toMatchObject({ paymentMethodType: 'card', config: { type: 'card' } });
    expect(await states(me.customerId, 'method_setup')).toEqual([{ state: 'browser', n: 1 }]);
  });

  it('survives a declined card, is finished by an event, and the next one is new', async () => {
    const me = await person();
    const { reqUid } = (await me.call('GET', paths.setup)).json().data;
    fixture.gateway.onCompleteSetup = async () => declined;
    expect((await me.call('POST', `${paths.setup}/result`, { reqUid })).statusCode).toBe(402);
    expect((await me.call('GET', paths.setup)).json().data.reqUid).toBe(reqUid);
    fixture.gateway.onCompleteSetup = async () => ({ is: 'saved', method: card('tok_1') });
    await hook(me.resellerId, { ref: await refOf(me.customerId) });
    expect(await me.cards()).toHaveLength(1);
    expect((await me.call('GET', paths.setup)).json().data.reqUid).not.toBe(reqUid);
  });

  it('of a gateway that asks on pages of its own leads there', async () => {
    const me = await person();
    const onBeginSetup = fixture.gateway.onBeginSetup;
    fixture.gateway.onBeginSetup = async (request) => ({
      ...(await onBeginSetup(request)),
      result: redirect({ flow: 'f' }),
    });
    const [one, two] = [await me.call('GET', paths.setup), await me.call('GET', paths.setup)];
    expect(one.json().data).toMatchObject({ config: {}, redirectToUrl: 'https://bank.example/c' });
    expect(two.json().data).toEqual(one.json().data);
  });

  it('that cannot be started says why', async () => {
    const me = await person();
    fixture.gateway.onBeginSetup = async () => ({
      payer: undefined,
      result: { is: 'notAttempted', why: 'config', detail: 'x' },
    });
    expect((await me.call('GET', paths.setup)).json().code).toBe('gateway.misconfigured');
    fixture.gateway.onBeginSetup = async () => ({
      payer: undefined,
      result: { is: 'unknown', evidence: 'cut' },
    });
    expect((await me.call('GET', paths.setup)).statusCode).toBe(503);
  });

  it('of a kind that is not offered is refused', async () => {
    const me = await person();
    for (const type of ['own_debit', 'sepa_debit'])
      expect((await me.call('GET', `${paths.setup}?paymentMethodType=${type}`)).json().code).toBe(
        'paymentMethod.notOffered',
      );
  });
});
