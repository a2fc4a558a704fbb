import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { intentOf } from '../../paying/bulk/test-support.ts';
import { entryOf } from '../../paying/entry/test-support.ts';
import { detailsOf } from '../../paying/methods/test-support.ts';
import { NewCard } from './new-card.tsx';

function formOf(over: Parameters<typeof detailsOf>[0] = {}) {
  const markup = renderToStaticMarkup(
    <NewCard
      formId="form"
      entry={entryOf()}
      details={detailsOf(over)}
      intent={intentOf({ email: 'accounts@x.example' })}
      isHidden={false}
      onState={() => undefined}
      onCard={async () => undefined}
    />,
  );
  const text = markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  const required = [...markup.matchAll(/<(?:input|select)[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(' required=""'))
    .map((tag) => / name="([^"]*)"/.exec(tag)?.[1]);
  return { markup, text, required };
}

describe('the form of a new card', () => {
  it('has card holder, receipt and, where the brand asks for it, all of the billing address [payments.bulk.new-card.field.{holder,email,address,city,state,zip,country}, payments.bulk.new-card.address-required]', () => {
    const all = formOf({ paymentBillingAddressRequired: true });
    for (const label of ['Card Holder Name', 'Email Receipt', 'Address', 'City', 'State', 'Zip', 'Country'])
      expect(all.text).toContain(label);
    expect(all.required).toEqual(['cardHolder', 'address', 'city', 'state', 'zip', 'country']);
    const short = formOf({ paymentBillingAddressRequired: false, paymentEmailReceipt: false });
    expect(short.required).toEqual(['cardHolder']);
    for (const label of ['Email Receipt', 'Zip']) expect(short.text).not.toContain(label);
  });
  it('the card holder name is required and marked, whatever the brand says [payments.bulk.new-card.holder-required]', () => {
    const { text, required } = formOf({ paymentCardHolderRequired: false });
    expect(text).toContain('Card Holder Name *');
    expect(required).toContain('cardHolder');
  });
  it('begins with the address receipts go to, which may be emptied', () => {
    const { markup, text } = formOf();
    expect(markup).toContain('value="accounts@x.example"');
    expect(text).toContain('Email Receipt (optional)');
  });
});
