import { describe, expect, it } from 'vitest';
import { newIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { emptyDraft } from '../../../paying/card/card-draft.ts';
import { cardRules, fieldProblems, ownerOf, typedFields } from '../../../paying/card/card-form-model.ts';
import { countriesIn } from '../../../paying/card/countries.ts';
import { uidOf } from '../link/pay-address.ts';
import { returnedFrom } from '../open-pay-flow.ts';
import { infoOf } from '../test-support.ts';
import { createDraftStore } from './draft.ts';
import { initialDraft } from './pay-form.tsx';

const none = { requiredCardHolder: false, requiredBillingAddress: false, enabledReceipt: true };
const all = { requiredCardHolder: true, requiredBillingAddress: true, enabledReceipt: true };
const fields = (draft: typeof emptyDraft, rules: typeof none) =>
  fieldProblems(draft, rules).map(({ field }) => field);

describe('fields of the form', () => {
  it('card holder and the whole billing address are required where the brand requires them [payments.card.{holder-when-brand,address-address,address-city,address-state,address-zip,address-country}, payments.public.field.form.cardHolder]', () => {
    expect(fields(emptyDraft, none)).toEqual([]);
    expect(fields(emptyDraft, all)).toEqual(['cardHolder', 'address', 'city', 'state', 'zip', 'country']);
    expect(fields({ ...emptyDraft, cardHolder: '  ' }, { ...none, requiredCardHolder: true })).toEqual([
      'cardHolder',
    ]);
  });
  it('an e-mail address is optional, but not any text [payments.public.field.form.email]', () => {
    expect(fields({ ...emptyDraft, email: 'ada' }, none)).toEqual(['email']);
    expect(fields({ ...emptyDraft, email: ' ada@x.example ' }, none)).toEqual([]);
  });
  it('what is sent is trimmed, and only what the brand asks for [payments.public.field.pay.stripe.billingAddress]', () => {
    const draft = {
      ...emptyDraft,
      cardHolder: ' Ada ',
      email: ' a@x.example ',
      address: ' 1 St ',
      city: 'C',
      state: 'S',
      zip: 'Z',
      country: 'AU',
    };
    expect(typedFields(draft, none)).toEqual({ cardHolder: 'Ada', email: 'a@x.example' });
    expect(typedFields(draft, { ...all, enabledReceipt: false })).toEqual({
      cardHolder: 'Ada',
      billingAddress: { address: '1 St', city: 'C', state: 'S', zip: 'Z', country: 'AU' },
    });
    expect(typedFields(emptyDraft, none)).toEqual({});
  });
  it('begins with the customer’s country and address, or with what was typed before', () => {
    expect(initialDraft(infoOf(), undefined)).toMatchObject({
      email: 'ap@harbourfinch.example',
      country: 'AU',
    });
    expect(initialDraft(infoOf({ enabledReceipt: false }), undefined).email).toBe('');
    const kept = { ...emptyDraft, cardHolder: 'Ada' };
    expect(initialDraft(infoOf(), kept)).toBe(kept);
  });
});

describe('countries', () => {
  it('stand by name in the reader’s language', () => {
    const german = countriesIn('de');
    expect(german.find(({ code }) => code === 'AT')?.name).toBe('Österreich');
    expect(german).toHaveLength(249);
    expect(new Set(german.map(({ code }) => code)).size).toBe(249);
    expect(german[0]?.name).toBe('Afghanistan');
  });
});

describe('the address of the page', () => {
  it('holds the link’s token, and after a redirect the attempt [decisions.6.anonymous-return]', () => {
    expect([uidOf('/pay/abc-_1'), uidOf('/pay/%E0%A4%A'), uidOf('/pay')]).toEqual(['abc-_1', '%E0%A4%A', '']);
    expect(returnedFrom('', 'u')).toBeUndefined();
    expect(returnedFrom('?payment_intent=pi', 'u')).toBeUndefined();
    expect(
      returnedFrom('?attempt=a&payment_intent=pi&payment_intent_client_secret=s&source_type=card', 'u'),
    ).toEqual({
      reqUid: 'a',
      uid: 'u',
      paymentIntent: 'pi',
      paymentIntentClientSecret: 's',
      sourceType: 'card',
    });
  });
});

describe('what a tab keeps', () => {
  it('is the draft of one link; a broken one counts as none', () => {
    const values = new Map<string, string>();
    const storage = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    };
    const drafts = createDraftStore(storage, 'link');
    drafts.save({ ...emptyDraft, cardHolder: 'Ada' });
    expect(drafts.load()).toEqual({ ...emptyDraft, cardHolder: 'Ada' });
    expect(createDraftStore(storage, 'other').load()).toBeUndefined();
    values.set('pay.link', '{"email":7}');
    expect(drafts.load()).toEqual(emptyDraft);
    values.set('pay.link', '{');
    expect(drafts.load()).toBeUndefined();
    drafts.clear();
    expect(values.size).toBe(0);
  });
  it('another amount is kept beside it, whatever it was typed as, but nothing with the digits of a card', () => {
    const values = new Map<string, string>();
    const storage = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    };
    const { part, save, clear } = createDraftStore(storage, 'link');
    expect(part.load()).toBeUndefined();
    part.save('1,2');
    expect(createDraftStore(storage, 'link').part.load()).toBe('1,2');
    expect(createDraftStore(storage, 'other').part.load()).toBeUndefined();
    part.save('4242 4242 4242 4242');
    expect(values.size).toBe(0);
    part.save('40');
    save(emptyDraft);
    clear();
    expect(values.size).toBe(0);
    part.save('40');
    part.save(undefined);
    expect(values.size).toBe(0);
  });
  it('keys are long and never the same', () => {
    const keys = new Set(Array.from({ length: 200 }, newIdempotencyKey));
    expect(keys.size).toBe(200);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('what a gateway asks for beside the card', () => {
  const asks = (name: string) => ({ name, required: true });
  const rules = (how: 'providerFrame' | 'redirect', names: readonly string[]) =>
    cardRules(none, { how, formFields: names.map(asks) });
  const names = ['cardHolder', 'payerFirstName', 'payerLastName', 'email'];

  it('is required beside what the brand requires [payments.card.{holder-nexio,payer-first-name,payer-last-name}, payments.public.field.form.{payerFirstName,payerLastName}]', () => {
    const nexio = rules('providerFrame', names);
    expect(fields(emptyDraft, nexio)).toEqual(names);
    const draft = {
      ...emptyDraft,
      cardHolder: 'Ada N',
      payerFirstName: ' Ada ',
      payerLastName: 'N',
      email: 'a@x.example',
    };
    expect(fields(draft, nexio)).toEqual([]);
    expect(typedFields(draft, nexio)).toEqual({
      cardHolder: 'Ada N',
      email: 'a@x.example',
      payer: { payerFirstName: 'Ada', payerLastName: 'N', email: 'a@x.example' },
    });
    expect(ownerOf(draft, nexio)).toEqual({
      name: 'Ada N',
      firstName: 'Ada',
      lastName: 'N',
      email: 'a@x.example',
    });
  });

  it('is not asked twice where its own inputs ask for the holder, unless the brand requires it', () => {
    const of = (brand: typeof none) =>
      cardRules(brand, { how: 'providerFields', formFields: [], askedByProvider: ['cardHolder'] });
    expect(of(none)).toMatchObject({ requiredCardHolder: false, isHolderElsewhere: true });
    expect(of(all)).toMatchObject({ requiredCardHolder: true });
    expect(of(all).isHolderElsewhere).toBeUndefined();
  });

  it('is nothing where its own page asks, whatever the brand requires', () => {
    const elsewhere = cardRules(all, { how: 'redirect', formFields: names.map(asks) });
    expect(fields(emptyDraft, elsewhere)).toEqual([]);
    expect(typedFields({ ...emptyDraft, email: 'a@x.example' }, elsewhere)).toEqual({ email: 'a@x.example' });
  });
});
