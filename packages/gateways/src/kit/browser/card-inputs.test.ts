import { describe, expect, it } from 'vitest';
import { brandOf, groupNumber } from './card-brand.ts';
import { cardInputs, cardNumbers } from './card-inputs.ts';

/** An input of the document, as far as the entry uses one. */
function control(value: string) {
  const ownerDocument: { activeElement: unknown } = { activeElement: null };
  const input = {
    value,
    ownerDocument,
    selectionStart: value.length as number | null,
    setSelectionRange: (at: number) => {
      input.selectionStart = at;
    },
    focus: () => undefined,
  };
  ownerDocument.activeElement = input;
  return input;
}

/** Inputs with something typed into them. */
function typed(values: { readonly number?: string; readonly expiry?: string; readonly cvc?: string }) {
  const inputs = cardInputs(() => new Date('2026-11-24T12:00:00Z'));
  const { number = '4242 4242 4242 4242', expiry = '12 / 31', cvc = '123' } = values;
  for (const [name, value] of Object.entries({ number, expiry, cvc }))
    inputs.place(name, control(value) as unknown as HTMLInputElement);
  return inputs;
}
const wrong = (values: Parameters<typeof typed>[0]) =>
  typed(values)
    .problems()
    .map(({ field }) => field);

describe('our own card inputs', () => {
  it.each([
    [{}, []],
    [{ number: '4242424242424242' }, []],
    // 17 characters as it is printed, and a code of four.
    [{ number: '3782 822463 10005', cvc: '7391' }, []],
    [{ number: '3782 822463 10005', cvc: '739' }, ['cvc']],
    [{ cvc: '7391' }, ['cvc']],
    [{ cvc: '12' }, ['cvc']],
    [{ number: '4242 4242 4242 4241' }, ['number']],
    [{ number: '4242 4242 424' }, ['number']],
    [{ number: '42424242424242424242' }, ['number']],
    [{ number: '' }, ['number']],
    [{ expiry: '' }, ['expiry']],
    [{ expiry: '12/31' }, ['expiry']],
    [{ expiry: '10 / 26' }, ['expiry']],
    [{ expiry: '11 / 26' }, []],
    [{ expiry: '13 / 30' }, ['expiry']],
    [{ number: '', expiry: '', cvc: '' }, ['number', 'expiry', 'cvc']],
  ])(
    'hold the rules of the specification: %j [payments.card.constant.{number-min,number-max,expiry-min,cvc-min,cvc-max}, payments.card.{cvc-amex,cvc-other}]',
    (values, fields) => {
      expect(wrong(values)).toEqual(fields);
      expect(typed(values).isComplete).toBe(fields.length === 0);
    },
  );

  it('say what is wrong at the input, and no more once it is mended', () => {
    const inputs = typed({ number: '4242 4242 4242 4241' });
    expect(inputs.problems()).toHaveLength(1);
    expect(inputs.errorOf('number')).toMatch(/not right/);
    const field = inputs.fields[0];
    if (field === undefined) throw new Error('there is no field');
    inputs.place('number', control('4242 4242 4242 4242') as unknown as HTMLInputElement);
    inputs.typed(field, true);
    expect(inputs.errorOf('number')).toBeUndefined();
  });

  it('are complete again once what the provider has refused is typed again, or sent as it is', () => {
    const inputs = typed({});
    const [field] = inputs.fields;
    if (field === undefined) throw new Error('there is no field');
    for (const mend of [() => inputs.typed(field, true), () => inputs.problems()]) {
      inputs.refuse('number', 'This card is not welcome here.');
      expect([inputs.errorOf('number'), inputs.isComplete]).toEqual([
        'This card is not welcome here.',
        false,
      ]);
      mend();
      expect([inputs.errorOf('number'), inputs.isComplete]).toEqual([undefined, true]);
    }
  });

  it('send the number without blanks and the expiry with its century [payments.card.constant.expiry-sent]', () => {
    expect(cardNumbers(typed({}))).toEqual({
      cardNumber: '4242424242424242',
      expirationDate: '2031-12',
      cardCode: '123',
    });
  });

  it('know nothing of what was typed once the inputs are gone', () => {
    const inputs = typed({});
    for (const { name } of inputs.fields) inputs.place(name, null);
    expect(cardNumbers(inputs)).toEqual({ cardNumber: '', expirationDate: '', cardCode: '' });
    expect(inputs.isComplete).toBe(false);
  });

  it('group the number while it is typed, and leave the cursor behind the same digit', () => {
    const inputs = typed({});
    const input = control('42424');
    input.selectionStart = 2;
    inputs.place('number', input as unknown as HTMLInputElement);
    const [field] = inputs.fields;
    if (field) inputs.typed(field, true);
    expect([input.value, input.selectionStart]).toEqual(['4242 4', 2]);
    // What was deleted is not put back.
    input.value = '4242 ';
    if (field) inputs.typed(field, false);
    expect(input.value).toBe('4242 ');
  });
});

it.each([
  ['4', 'Visa', '4'],
  ['42424242', 'Visa', '4242 4242'],
  ['378282246310005', 'Amex', '3782 822463 10005'],
  ['37828224631', 'Amex', '3782 822463 1'],
  ['5555555555554444', 'Mastercard', '5555 5555 5555 4444'],
  ['2223003122003222', 'Mastercard', '2223 0031 2200 3222'],
  ['2221', 'Mastercard', '2221'],
  ['2220', undefined, '2220'],
  ['2720', 'Mastercard', '2720'],
  ['2721', undefined, '2721'],
  ['6011111111111117', 'Discover', '6011 1111 1111 1117'],
  ['36227206271667', 'Diners Club', '3622 720627 1667'],
  ['3622720627166712', 'Diners Club', '3622 7206 2716 6712'],
  ['3530111333300000', 'JCB', '3530 1113 3330 0000'],
  ['6200000000000005123', 'UnionPay', '6200 0000 0000 0005 123'],
  ['99 12-34', undefined, '9912 34'],
])('%s is of %s and stands as %s', (text, brand, grouped) => {
  expect([brandOf(text), groupNumber(text)]).toEqual([brand, grouped]);
});
