import type { Proof, Proofs } from '../row.ts';

const unit = 'apps/api/src/features/imports/usage-rows.test.ts';
const invoices = 'apps/api/src/features/imports/take-invoice.test.ts';
const credits = 'apps/api/src/features/imports/credits.test.ts';
const calls = 'apps/api/src/features/imports/take-usage.test.ts';
const whole = 'apps/api/src/features/imports/service.test.ts';
const samples = 'apps/api/src/features/imports/samples.test.ts';
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));

/** Tests that prove rows of import: row id to file and title. */
export const proofs: Proofs = {
  'decisions.5.invoice-identity': by(invoices, 'tells apart what shares only a number'),
  'decisions.5.invoice-same': by(invoices, 'changes nothing the second time and shows the same link'),
  'decisions.5.error.invoice-differs': by(invoices, 'quarantines other content under the same identity'),
  'decisions.5.error.second-full-credit': by(credits, 'a second full credit of one invoice is quarantined'),
  'decisions.5.cdr-identity': [
    ...by(unit, 'hashes what a row says, not how it is quoted'),
    ...by(calls, 'takes them once, repeats included, and keeps the rollups exact'),
  ],
  'decisions.5.constant.cdr-repeats': by(samples, 'takes 218 call records, repeats included'),
  'decisions.5.ubl-reseller': by(whole, 'a customer of another reseller is not found'),
  'decisions.5.ubl-customer-endpoint': by(
    invoices,
    'finds the customer by electronic address, else legal id, else name',
  ),
  'decisions.5.ubl-customer-legal-id': by(
    invoices,
    'finds the customer by electronic address, else legal id, else name',
  ),
  'decisions.5.ubl-customer-name': by(
    invoices,
    'finds the customer by electronic address, else legal id, else name',
  ),
  'decisions.5.cdr-account': by(calls, 'finds whose they are by account code, line called from, line called'),
  'decisions.5.cdr-line': by(calls, 'finds whose they are by account code, line called from, line called'),
  'decisions.5.cdr-option': by(calls, 'takes them once, repeats included, and keeps the rollups exact'),
  'decisions.5.error.cdr-nobody': by(
    calls,
    'finds whose they are by account code, line called from, line called',
  ),
  'decisions.5.demo-default-reseller': by(
    whole,
    'under DEMO=1 it is the demo world’s first reseller and its customer',
  ),
  'decisions.5.demo-default-customer': by(
    whole,
    'under DEMO=1 it is the demo world’s first reseller and its customer',
  ),
  'decisions.5.not-rated': by(calls, 'an exchange gives no price, so that none is stored'),
  'decisions.5.asterisk-units': by(samples, 'takes 218 call records, repeats included'),
  'decisions.5.constant.no-price': by(
    'apps/web/src/features/invoices/line-usage-dialog.test.tsx',
    'a record without a price shows a dash, and one that cost nothing its price',
  ),
  'decisions.5.no-price-sums': [
    ...by(
      'apps/api/src/features/invoices/usage-split.test.ts',
      'gives nothing to a record without a price that stands beside priced ones',
    ),
    ...by(calls, 'an exchange gives no price, so that none is stored'),
  ],
};
