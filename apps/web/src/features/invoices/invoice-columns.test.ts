import { describe, expect, it } from 'vitest';
import type { Portal } from '../../lib/portal/portal-context.ts';
import { invoiceOf } from '../../shared/invoices/test-support.ts';
import { sortRows } from '../../ui/data/grid/grid-model.ts';
import { area } from './area.ts';
import { invoiceColumns } from './invoice-columns.tsx';

describe('the grid', () => {
  const columns = invoiceColumns('Bill');
  it('has the columns of the specification in its order [portal.invoices.screen.page, portal.invoices.field.column.*]', () => {
    expect(columns.map(({ label }) => label)).toEqual([
      'Number',
      'Amount',
      'Amount Due',
      'Bill date',
      'Due',
      'Status',
    ]);
  });
  it('sorts by every column [portal.invoices.sorting]', () => {
    const rows = [
      invoiceOf({
        number: 'B-10',
        amount: 2,
        amountDue: 0,
        dateInvoice: '2026-02-01',
        dateDue: null,
        status: 11,
        paid: true,
        state: 'paid',
      }),
      invoiceOf({
        number: 'B-9',
        amount: 1,
        amountDue: 1,
        dateInvoice: '2026-01-01',
        dateDue: '2026-03-01',
        state: 'overdue',
      }),
    ];
    for (const { id } of columns) {
      const up = sortRows(rows, columns, { column: id, direction: 'asc' }, 'en').map(({ number }) => number);
      const down = sortRows(rows, columns, { column: id, direction: 'desc' }, 'en').map(
        ({ number }) => number,
      );
      expect([id, up]).toEqual([id, down.toReversed()]);
    }
  });
});

describe('the area', () => {
  it('is labelled by the settings, enabled by its flag, second in menu and landing order', () => {
    const portal = { settings: { invoiceLabelPlural: 'Bills' } } as unknown as Portal;
    expect([area.label(portal), area.flag, area.menu, area.landing]).toEqual([
      'Bills',
      'endShowInvoices',
      2,
      2,
    ]);
    expect([area.path, area.children?.map(({ path }) => path)]).toEqual(['/invoices', ['$id']]);
  });
});
