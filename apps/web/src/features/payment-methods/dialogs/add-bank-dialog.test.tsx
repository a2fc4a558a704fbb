import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../paying/entry/test-support.ts';
import { detailsOf } from '../../../paying/methods/test-support.ts';
import { AddBankDialog, type BankDetails } from './add-bank-dialog.tsx';

/** The controls that the page draws of a form with these fields: name to tag and label. */
function controlsOf(formFields: EntryConfig['formFields'], how: EntryConfig['how'] = 'ownFieldsToProvider') {
  const bank = { ...(detailsOf().bank as BankDetails), entry: entryOf({ how, formFields }) };
  const markup = renderToStaticMarkup(
    <AddBankDialog details={detailsOf()} bank={bank} email="" onAnswer={async () => {}} onClose={() => {}} />,
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
  it('asks for the owner as the gateway names it; the numbers are the entry’s [payments.bank-form.field.nameOnAccount, payments.gateway.adapts]', () => {
    const fields = ['nameOnAccount', 'routingNumber', 'accountNumber', 'phone', 'country'];
    const { controls } = controlsOf(fields.map((name) => asked(name)));
    expect(controls.map(({ name, label }) => [name, label])).toEqual([
      ['nameOnAccount', 'Name on account'],
      ['phone', 'Phone'],
      ['country', 'Country'],
    ]);
    expect(controls.find(({ name }) => name === 'phone')?.tag).toMatch(/type="tel"/);
  });

  it('says what need not be filled in', () => {
    const { controls } = controlsOf([asked('phone', false)]);
    expect(controls[0]?.label).toMatch(/Phone.*optional/);
  });

  it('is a way to the gateway’s own page where that asks for the account', () => {
    const { controls, markup } = controlsOf([], 'redirect');
    expect(controls).toEqual([]);
    expect(markup).toContain('Add Bank Account');
  });
});
