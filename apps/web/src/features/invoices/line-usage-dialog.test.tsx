import type { UsageRecord } from '@counterfoil/contract/usage.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { setBrandCurrency } from '../../lib/format.ts';
import { invoiceQueries } from '../../lib/invoices/invoice-queries.ts';
import { lineOf } from '../../lib/invoices/test-support.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { LineUsageDialog } from './line-usage-dialog.tsx';

const record = (price: number | null): UsageRecord => ({
  id: '0197-1',
  date: '2026-02-10T08:00:00.000Z',
  serviceItemName: '555-0100',
  serviceItemDescription: null,
  serviceItem2: '',
  serviceItem3: '',
  siteName: null,
  units: 60,
  price,
  recordType: 'National',
  costCentre: null,
  billedBy: null,
});

it('a record without a price shows a dash, and one that cost nothing its price', () => {
  setBrandCurrency({ code: 'USD', symbol: '$' });
  const client = createQueryClient();
  client.setQueryData(invoiceQueries.lineUsage('l-1', 1, 25).queryKey, {
    endUsageDetails: [record(null), record(0), record(0.01234)],
    totalCount: 3,
  });
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <LineUsageDialog line={lineOf()} currency="USD" onClose={() => undefined} />
    </QueryClientProvider>,
  );
  const cells = [...markup.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) =>
    cell.replace(/<[^>]+>/g, ''),
  );
  const prices = cells.filter((_cell, at) => at % 5 === 4);
  expect(prices).toEqual(['–', '$0.0000', '$0.0123']);
});
