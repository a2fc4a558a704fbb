import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '../../fixtures/paying/books.ts';
import { useGatewayRun } from '../../fixtures/paying/gateways/gateway-run.ts';
import { NOTHING_WRONG, wrongs } from '../../fixtures/paying/gateways/journal-report.ts';
import { testedGateways } from '../../fixtures/paying/gateways/tested-gateways.ts';

/**
 * What somebody may try with each gateway: forms that were prepared for something else, amounts of their own, what a gateway's page has
 * posted altered or sent again, and webhooks that it never sent. Nothing of it takes money, saves a method or ends a payment.
 */
type Body = Readonly<Record<string, unknown>>;

describe.each(testedGateways)('$name', (gateway) => {
  const { manifest, data, good, minor, prepares, callsBack } = gateway;
  const me = useGatewayRun(gateway);
  const { sandbox, run } = me;
  const hasPayPage = manifest.capabilities.oneOff !== 'no';

  /** All that money and methods have come to. */
  const state = async () => ({
    charges: await sandbox.charges(),
    rows: await run.rows(
      `select id::text || ' ' || state as one from attempt union all select id::text || ' ' || remote from capture
       union all select id::text || ' ' || state || is_default::text from payment_method
       union all select id::text || ' ' || status::text || ' ' || held_minor::text || ' ' || paid_minor::text from invoice order by 1`,
    ),
  });
  afterEach(async () => {
    expect(await wrongs(me)).toEqual(NOTHING_WRONG);
    expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
  });
  /** What a page sends of the method that was entered into its form, under the names of a link and of a saved method. */
  const methodOf = (body: object) => {
    const { entryId, cardToken, token = cardToken, beside, fields } = body as Body;
    const common = {
      entryId,
      ...(beside !== undefined && { beside }),
      ...(fields !== undefined && { fields }),
    };
    return {
      once: { ...common, ...(token !== undefined && { cardToken: token }) },
      saved: { ...common, ...(token !== undefined && { token }) },
    };
  };
  const linkOf = async (who?: Awaited<ReturnType<typeof me.person>>) => {
    const person = who ?? (await me.person());
    const invoice = await person.bill();
    return { person, invoice, asking: await me.link(invoice, good) };
  };
  const without = ({ cardToken: _token, beside: _beside, fields: _fields, ...rest }: Body) => rest;

  /** Each gives what is sent, once all that must be there is there. */
  const attacks: Readonly<Record<string, () => Promise<Parameters<typeof me.send>[0]>>> = {
    'to pay by a form of another payer’s link': async () => {
      const [mine, other] = [await linkOf(), await linkOf()];
      const body = { ...without(mine.asking.body as Body), ...methodOf(other.asking.body).once };
      return { ...mine.asking, body };
    },
    'to pay by a form of another link of the same payer': async () => {
      const mine = await linkOf();
      const other = await linkOf(mine.person);
      const body = { ...without(mine.asking.body as Body), ...methodOf(other.asking.body).once };
      return { ...mine.asking, body };
    },
    'to pay by a form that was prepared to save': async () => {
      const mine = await linkOf();
      const saving = await mine.person.saving(good);
      const body = { ...without(mine.asking.body as Body), ...methodOf(saving.body).once };
      return { ...mine.asking, body };
    },
    'to save by a form that was prepared to pay': async () => {
      const mine = await linkOf();
      const saving = await mine.person.saving(good);
      const { token: _token, ...rest } = without(saving.body as Body);
      return { ...saving, body: { ...rest, ...methodOf(mine.asking.body).saved } };
    },
    'to save by a form of somebody else': async () => {
      const [thief, owner] = [await me.person(), await me.person()];
      return { ...(await owner.saving(good)), headers: await thief.headers() };
    },
    'to pay a session by a form of a link': async () => {
      const mine = await linkOf();
      const { path, headers, body } = await mine.person.bulk([await mine.person.bill()], '');
      const { cardHolder, email, billingAddress } = mine.asking.body as Body;
      const { uid } = body as { uid: string };
      const owner = { cardHolder, email, billingAddress };
      return { path, headers, body: { uid, ...owner, ...methodOf(mine.asking.body).once } };
    },
    'to pay again by a form whose method was declined': async () => {
      const declined = data.declines.find(({ name }) => name === data.decline)?.method ?? good;
      const who = await me.person();
      const invoice = await who.bill({ subtotalMinor: declined.minor ?? minor });
      const asking = await me.link(invoice, declined);
      expect((await me.send(asking)).data).toMatchObject({ status: 'failed' });
      return asking;
    },
    'to pay by a form that has paid': async () => {
      const paid = await linkOf();
      expect((await me.send(paid.asking)).data).toMatchObject({ status: 'succeeded' });
      const other = await linkOf(paid.person);
      return {
        ...other.asking,
        body: { ...without(other.asking.body as Body), ...methodOf(paid.asking.body).once },
      };
    },
  };
  it.skipIf(!prepares || !hasPayPage).each(Object.keys(attacks))(
    'nothing comes of an attempt %s',
    async (name) => {
      const asking = await attacks[name]?.();
      if (asking === undefined) throw new Error(name);
      const before = await state();
      const answer = await me.send(asking);
      expect([404, 409, 410], answer.text).toContain(answer.status);
      expect(await state()).toEqual(before);
    },
  );

  it.skipIf(!hasPayPage).each(['0.01', '99999.00', '-1.00'])(
    'nothing comes of an attempt to pay %s',
    async (invoiceAmount) => {
      const { asking } = await linkOf();
      const before = await state();
      const answer = await me.send({ ...asking, body: { ...asking.body, invoiceAmount } });
      expect([400, 409], answer.text).toContain(answer.status);
      expect(await state()).toEqual(before);
    },
  );

  const { sign } = data;
  const hook = (raw: Uint8Array, headers: Headers, reseller = sandbox.customer.resellerId) =>
    sandbox.fixture.app.inject({
      method: 'POST',
      url: `/v1/webhooks/${manifest.id}/${reseller}`,
      payload: Buffer.from(raw),
      headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
    });

  it.skipIf(sign === undefined)('nothing comes of a webhook that the gateway did not send', async () => {
    // Its answer is lost, so that only a webhook could tell of it.
    const who = await me.person();
    const saved = await who.save(good);
    const invoice = await who.bill();
    await me.fault('charge', 'timeout-before');
    await me.send(await who.bulk([invoice], saved.id));
    await sandbox.control('DELETE', 'faults');
    const [attempt] = await run.rows<{ ref: string }>('select ref from attempt where customer_id = $1', [
      who.id,
    ]);
    const at = sandbox.fixture.clock.now();
    const signed = sign?.(data.sandbox.settings, attempt?.ref as never, at) ?? [];
    const before = await state();
    for (const { raw, headers } of signed) {
      const changed = Buffer.from(raw);
      // Other bytes under its signature.
      const text = changed.toString().replace(/\w(?=\W*$)/, (last) => (last === '1' ? '2' : '1'));
      expect(text).not.toBe(changed.toString());
      expect((await hook(Buffer.from(text), headers)).statusCode).toBeGreaterThanOrEqual(400);
      expect((await hook(raw, new Headers())).statusCode).toBeGreaterThanOrEqual(400);
      // At the address of somebody who has no account here.
      expect((await hook(raw, headers, sandbox.customer.resellerId + 1)).statusCode).toBeGreaterThanOrEqual(
        400,
      );
      // Signed as it would be: of a charge that the gateway does not know, and twice.
      for (let time = 0; time < 2; time += 1) expect((await hook(raw, headers)).statusCode).toBeLessThan(500);
    }
    await sandbox.fixture.eventsFollowed();
    const { charges } = await state();
    expect(charges).toEqual(before.charges);
    expect(await run.rows('select 1 from capture where customer_id = $1', [who.id])).toEqual([]);
    await me.settle();
    expect(
      (await sandbox.charges()).filter(({ reference }) => reference === attempt?.ref).length,
    ).toBeLessThanOrEqual(1);
  });

  /** A form for a link, filled in on the gateway's page; what that posts has not arrived yet. */
  async function filledIn() {
    const who = await me.person();
    const invoice = await who.bill();
    const form = await me.prepareLink(invoice, good);
    const made: object = await good.once(me.account, form?.action);
    if (form === undefined || !('posted' in made)) throw new Error('its page posts nothing');
    const { entryId } = form;
    const owner = { cardHolder: 'Ana Poe', email: 'ana@mail.example' };
    return {
      who,
      posted: made.posted as Readonly<Record<string, string>>,
      call: (fields: object) => me.post(`/v1/entries/${entryId}/callback`, fields),
      pay: () => me.send(me.linkBy(invoice, { entryId, ...owner })),
      charged: async () => {
        await me.settle();
        const rows = await run.rows<{ ref: string }>('select ref from attempt where customer_id = $1', [
          who.id,
        ]);
        const refs = new Set(rows.map(({ ref }) => ref));
        return (await sandbox.charges()).flatMap((one) => (refs.has(one.reference ?? '') ? [one.minor] : []));
      },
    };
  }

  it.skipIf(!callsBack)(
    'a callback counts for its own form and once; altered it takes no other amount',
    async () => {
      const [mine, other] = [await filledIn(), await filledIn()];
      expect((await mine.call(other.posted)).status).toBeGreaterThanOrEqual(400);
      expect((await mine.pay()).data).not.toMatchObject({ status: 'succeeded' });
      expect(await mine.charged()).toEqual([]);
      expect((await other.call(other.posted)).status).toBe(204);
      expect((await other.call(other.posted)).status).toBe(409);
      expect((await other.pay()).data).toMatchObject({ status: 'succeeded' });
      expect((await other.call(other.posted)).status).toBe(409);
      expect(await other.charged()).toEqual([Number(minor)]);
      const unknown = await me.post(
        '/v1/entries/0b0e6f0e-7c53-4e9f-9d0e-1f5c7f6a2b11/callback',
        other.posted,
      );
      expect(unknown.status).toBe(404);
      for (const name of Object.keys(mine.posted)) {
        const form = await filledIn();
        const value = form.posted[name] ?? '';
        const altered = /^\d+(\.\d+)?$/.test(value) ? `1${value}` : `${value}x`;
        await form.call({ ...form.posted, [name]: altered });
        await form.pay();
        expect([[], [Number(minor)]], name).toContainEqual(await form.charged());
      }
    },
  );
});
