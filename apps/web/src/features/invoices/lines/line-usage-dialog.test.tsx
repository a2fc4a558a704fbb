import type { UsageRecord } from '@counterfoil/contract/usage.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createQueryClient } from '../../../lib/query-client.ts';
import { invoiceQueries } from '../../../shared/invoices/invoice-queries.ts';
import { lineOf } from '../../../shared/invoices/test-support.ts';
import { setBrandCurrency } from '../../../text/format.ts';
import { LineUsageDialog } from './line-usage-dialog.tsx';

const record = (price: number | null, over: Partial<UsageRecord> = {}): UsageRecord => ({
  id: '0197-1',
  date: '2026-02-10T08:00:00.000Z',
  serviceItemName: '555-0100',
  serviceItemDescription: null,
  serviceItem2: '',
  serviceItem3: '',
  siteName: null,
  units: 60,
  unit: 'second',
  price,
  recordType: 'National',
  costCentre: null,
  billedBy: null,
  ...over,
});

/** Heads and cells of the dialog with these records. */
function dialogOf(records: readonly UsageRecord[]) {
  setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' });
  const client = createQueryClient();
  client.setQueryData(invoiceQueries.lineUsage('l-1', 1, 25).queryKey, {
    endUsageDetails: [...records],
    totalCount: records.length,
  });
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <LineUsageDialog line={lineOf()} currency="USD" onClose={() => undefined} />
    </QueryClientProvider>,
  );
  const texts = (tag: string) =>
    [...markup.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'g'))].map(([, cell = '']) =>
      cell.replace(/<[^>]+>/g, ''),
    );
  const [heads, cells] = [texts('th'), texts('td')];
  const column = (label: string) =>
    cells.filter((_cell, at) => at % heads.length === heads.findIndex((head) => head.includes(label)));
  return { heads, column };
}

it('a record without a price shows a dash, and one that cost nothing its price [decisions.5.constant.no-price]', () => {
  const { column } = dialogOf([record(null), record(0), record(0.01234)]);
  expect(column('Price')).toEqual(['–', '$0.0000', '$0.0123']);
});

it('records show the number that was called and their units with what they are', () => {
  const called = { serviceItem2: '(03) 5550 1465' };
  const { column } = dialogOf([
    record(1, called),
    record(1, { units: 415, unit: 'megabyte' }),
    record(1, { unit: null }),
  ]);
  expect(column('Called number')).toEqual([
    expect.stringMatching(/\(03\) 5550 1465$/),
    expect.stringMatching(/-$/),
    expect.anything(),
  ]);
  expect(column('Units')).toEqual(['0:01:00', '415\u00a0MB', '60']);
  // A network or a place is not called.
  expect(dialogOf([record(1, { serviceItem2: 'Vodafone ES' })]).column('To')).toEqual([
    expect.stringContaining('Vodafone ES'),
  ]);
});
