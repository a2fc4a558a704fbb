import { bankInputs } from '@counterfoil/gateways/kit/browser/bank-inputs.ts';
import { accountLabel, fieldProblem } from '@counterfoil/gateways/kit/browser/form-fields.ts';
import { OwnFields } from '@counterfoil/gateways/kit/browser/own-fields.tsx';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';

const asked = (name: string, required = true) => ({ name, required });

/** The controls of an account's inputs: name to tag and label. */
function controlsOf(names: readonly string[], required = true) {
  const inputs = bankInputs({ formFields: names.map((name) => asked(name, required)), currency: 'USD' });
  const markup = renderToStaticMarkup(<OwnFields inputs={inputs} />);
  const controls = [...markup.matchAll(/<(?:input|select)[^>]*>/g)].map(([tag]) => {
    const of = (attribute: string) => new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1];
    const label = new RegExp(`<label[^>]* for="${of('id')}"[^>]*>(.*?)</label>`).exec(markup)?.[1];
    return { name: of('data-entry-field'), tag, label: label?.replace(/<[^>]+>/g, '') };
  });
  return { markup, controls };
}

describe('the inputs of a bank account', () => {
  it('are those the gateway asks for of the account, in its order, and none of its owner [payments.bank-form.field.{accountNumber,bankName,routingNumber,accountType}]', () => {
    const names = ['nameOnAccount', 'bankName', 'routingNumber', 'accountNumber', 'accountType', 'phone'];
    expect(controlsOf(names).controls.map(({ name, label }) => [name, label])).toEqual([
      ['bankName', 'Bank name'],
      ['routingNumber', 'Routing number'],
      ['accountNumber', 'Account number'],
      ['accountType', 'Account type'],
    ]);
    expect(controlsOf(['iban']).controls.map(({ name }) => name)).toEqual(['iban']);
  });

  it('offer checking and savings, and digits that neither a browser nor this tab keeps', () => {
    const { markup, controls } = controlsOf(['accountType', 'accountNumber']);
    expect(markup).toMatch(/<option value="checking">.*<option value="savings">/);
    const number = controls.find(({ name }) => name === 'accountNumber')?.tag;
    expect(number).toMatch(/inputMode="numeric"/);
    expect(number).toMatch(/autoComplete="off"/);
    expect(number).toMatch(/data-keep="never"/);
    // Without a name it is in no form's data.
    for (const { tag } of controls) expect(tag).not.toMatch(/ name=/);
  });

  it('say what need not be filled in', () => {
    expect(controlsOf(['bankName'], false).controls[0]?.label).toBe('Bank name (optional)');
  });
});

it.each([
  ['routingNumber', 'AUD', 'BSB'],
  ['routingNumber', 'GBP', 'Sort code'],
  ['routingNumber', 'USD', 'Routing number'],
  ['accountNumber', 'USD', 'Account number'],
  ['bankAccountNumber', 'USD', 'Account number'],
  ['accountType', 'USD', 'Account type'],
  ['bankName', 'USD', 'Bank name'],
  ['branchCode', 'USD', 'Branch code'],
])(
  'the field %s is called in %s: %s [payments.bank-form.field.{routingNumber,bankAccountNumber,accountType,accountNumber,bankName}]',
  (name, currency, label) => {
    expect(accountLabel(name, currency)).toBe(label);
  },
);

it.each([
  ['12345', true],
  ['12 34 5', true],
  ['1234', false],
  ['1-2-3-4', false],
  ['', false],
])(
  'numbers have at least five characters, without what groups them: %j [payments.bank.constant.account-min, payments.bank.constant.routing-min]',
  (text, isGood) => {
    for (const name of ['routingNumber', 'bankAccountNumber'])
      expect(fieldProblem({ name, required: true, min: 5 }, text, 'It') === undefined).toBe(isGood);
  },
);
