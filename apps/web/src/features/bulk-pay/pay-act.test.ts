import { beforeAll, describe, expect, it, vi } from 'vitest';
import { intentOf } from '../../paying/bulk/test-support.ts';
import { accountOf, cardOf, detailsOf } from '../../paying/methods/test-support.ts';
import { setBrandCurrency } from '../../text/format.ts';
import { choicesOf } from './choices.ts';
import { payActOf } from './pay-act.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const intent = intentOf();
const details = detailsOf({ currency: 'USD' });
const saved = choicesOf(
  [cardOf({ isDefault: true }), cardOf({ id: 'c-2', isExpired: true })],
  intent,
  details,
);

function actOf(over: Partial<Parameters<typeof payActOf>[0]> = {}) {
  const pressed = { onCredit: vi.fn(), onMethod: vi.fn(), onNew: vi.fn() };
  const act = payActOf({
    isCharged: true,
    choices: saved,
    hasNew: true,
    isNew: false,
    method: undefined,
    card: { isBusy: false, missing: [] },
    isAmountOpen: false,
    formId: 'form',
    ...pressed,
    ...over,
  });
  return { act, ...pressed };
}

describe('the button', () => {
  it("reads 'Pay' when saved methods exist, otherwise 'Continue' [payments.bulk.control.pay, payments.bulk.control.continue]", () => {
    expect(actOf().act.label).toBe('Pay');
    expect(actOf({ choices: [] }).act.label).toBe('Continue');
    expect(actOf({ choices: [], hasNew: false }).act.label).toBe('Continue');
  });
  it('is disabled until a method is chosen when methods exist, and says why [payments.bulk.button-disabled]', () => {
    expect(actOf().act).toMatchObject({ isDisabled: true, reason: 'Choose a payment method.' });
    const { act, onMethod } = actOf({ method: saved[0] });
    expect(act).toMatchObject({ isDisabled: false, name: 'Visa ending 4242' });
    act.onPress();
    expect(onMethod).toHaveBeenCalledOnce();
  });
  it("'Continue' shows the form of a new card at once", () => {
    const { act, onNew } = actOf({ choices: [] });
    expect(act.isDisabled).toBe(false);
    act.onPress();
    expect(onNew).toHaveBeenCalledOnce();
  });
  it("is 'Confirm and Pay' of the form for a new card, and names what is missing [payments.bulk.new-card.control.confirm]", () => {
    expect(actOf({ isNew: true }).act).toMatchObject({
      label: 'Confirm and Pay',
      form: 'form',
      isBlocked: false,
    });
    const card = { isBusy: false, missing: ['card details', 'Card Holder Name'] };
    expect(actOf({ isNew: true, card }).act).toMatchObject({
      isBlocked: true,
      reason: 'To pay, complete: card details and Card Holder Name',
    });
  });
  it('is neither at a total of 0: the credit settles it by a button of its own', () => {
    const { act, onCredit } = actOf({ isCharged: false });
    expect(act.label).toBe('Settle with credit');
    act.onPress();
    expect(onCredit).toHaveBeenCalledOnce();
  });
  it('goes nowhere when no method is saved and no new one is taken', () => {
    expect(actOf({ choices: [], hasNew: false }).act.isDisabled).toBe(true);
  });
});

describe('a saved method', () => {
  const offer = { bank: null, card: details.card };
  it('that is a card cannot be chosen where cards are not taken any more', () => {
    const list = choicesOf([accountOf(), cardOf()], intent, { ...offer, card: null });
    expect(list.map(({ kind, isBlocked, detail }) => [kind, isBlocked, detail])).toEqual([
      ['card', true, 'Cards are not taken here any more'],
      ['bank', false, expect.any(String)],
    ]);
  });
  it('stands with name and expiry, cards before accounts', () => {
    const list = choicesOf([accountOf(), cardOf()], intent, offer);
    expect(list.map(({ title, detail, mark }) => [title, detail, mark])).toEqual([
      ['Visa ending 4242', 'Expires 08 / 2028, card fee $35.44', 'VISA'],
      [
        'Account ending 3456',
        'Direct Debit, bank fee $2.00, usually confirmed within 5 working days',
        undefined,
      ],
    ]);
  });
  it('that is an account says how long its bank takes', () => {
    const bank = details.bank && { ...details.bank, currency: intent.currency, settlesInDays: 1 };
    const [choice] = choicesOf([accountOf()], intent, { ...offer, bank });
    expect(choice?.detail).toMatch(/, usually confirmed within 1 working day$/);
  });
  it.each([
    ['an expired card', cardOf({ isExpired: true }), 'Expired 08 / 2028: it cannot be used any more'],
    ['one not confirmed', accountOf({ status: 'pending' }), 'Not confirmed yet: it cannot be used before'],
    ['a dead mandate', accountOf({ status: 'unusable' }), 'It cannot be used: its mandate has ended'],
    ['an account in another currency', accountOf(), 'It pays AUD only'],
  ])('cannot be chosen and says why: %s', (_, source, why) => {
    expect(choicesOf([source], intent, details)[0]).toMatchObject({ isBlocked: true, detail: why });
  });
});
