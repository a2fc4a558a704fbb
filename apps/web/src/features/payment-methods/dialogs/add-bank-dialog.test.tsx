import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { detailsOf } from '../../../paying/methods/test-support.ts';
import { AddBankDialog, type BankDetails } from './add-bank-dialog.tsx';

/** The controls of the form a gateway with these fields gets: name to tag and label. */
function controlsOf(fields: BankDetails['fields']) {
  const details = detailsOf();
  const bank = { ...(details.bank as BankDetails), currency: 'USD', fields };
  const markup = renderToStaticMarkup(
    <AddBankDialog details={details} bank={bank} email="" onAnswer={async () => {}} onClose={() => {}} />,
  );
  const controls = [...markup.matchAll(/<(?:input|select)[^>]* name="[^>]*>/g)].map(([tag]) => {
    const of = (attribute: string) => new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1];
    const label = new RegExp(`<label[^>]* for="${of('id')}"[^>]*>(.*?)</label>`).exec(markup)?.[1];
    return { name: of('name'), tag, label: label?.replace(/<[^>]+>/g, ' ').trim() };
  });
  return { markup, controls };
}

const asked = (name: string, required = true) => ({ name, required });

describe('the form of a bank account', () => {
  it('has an input, by its name, for each field the gateway asks for, in its order, and no other [payments.bank-form.field.{accountNumber,nameOnAccount,bankName}, payments.gateway.adapts]', () => {
    const fields = ['nameOnAccount', 'bankName', 'routingNumber', 'accountNumber', 'accountType', 'phone'];
    const { controls } = controlsOf(fields.map((name) => asked(name)));
    expect(controls.map(({ name, label }) => [name, label])).toEqual([
      ['nameOnAccount', 'Name on account'],
      ['bankName', 'Bank name'],
      ['routingNumber', 'Routing number'],
      ['accountNumber', 'Account number'],
      ['accountType', 'Account type'],
      ['phone', 'Phone'],
    ]);
    expect(controlsOf([asked('iban')]).controls.map(({ name }) => name)).toEqual(['iban']);
  });

  it('offers checking and savings, a telephone’s keys, and digits that no browser keeps', () => {
    const { markup, controls } = controlsOf(
      ['accountType', 'phone', 'accountNumber'].map((name) => asked(name)),
    );
    expect(markup).toMatch(/<option value="checking">.*<option value="savings">/);
    const tagOf = (wanted: string) => controls.find(({ name }) => name === wanted)?.tag;
    expect(tagOf('phone')).toMatch(/type="tel"/);
    expect(tagOf('accountNumber')).toMatch(/inputMode="numeric"/);
    expect(tagOf('accountNumber')).toMatch(/autoComplete="off"/);
  });

  it('says what need not be filled in', () => {
    const { controls } = controlsOf([asked('bankName', false)]);
    expect(controls[0]?.label).toMatch(/Bank name.*optional/);
  });

  it('is a way to the gateway’s own page where that asks for the account', () => {
    const { controls, markup } = controlsOf([]);
    expect(controls).toEqual([]);
    expect(markup).toContain('Add Bank Account');
  });
});
