import { csvRow } from '@counterfoil/domain/text/csv.ts';
import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { expect, it } from 'vitest';
import { allocationCsv, allocationFileName, summaryCsv } from './allocation-csv.ts';
import { allocatedTotal, shareOf } from './cost-shares.ts';

const money = (amount: number, tax: number, total: number) => ({ amount, tax, total });
const part = {
  currency: 'USD',
  invoices: 2,
  costCentres: [
    { costCentre: 'Sales', serviceItems: 2, ...money(0.1, 0.02, 0.12) },
    { costCentre: 'Credits', serviceItems: 1, ...money(-0.3, 0, -0.3) },
    { costCentre: null, serviceItems: 0, ...money(0.3, 0.06, 0.36) },
  ],
  difference: money(0.01, 0, 0.01),
  total: money(0.11, 0.08, 0.19),
};

it('the file is named after the service', () => {
  expect(allocationFileName('Voice')).toBe('Cost_Centre_Voice.csv');
  expect(safeFileName(allocationFileName('Voice/SMS'))).toBe('Cost_Centre_Voice_SMS.csv');
});

it('has what is filtered, empty where there is nothing, and no formula', () => {
  const item = { id: 'i', serviceId: 's', serviceItem: 'L-1', description: null, costCentre: '=1+1' };
  const { head, rows } = allocationCsv([item]);
  expect(head).toEqual(['Service Item', 'Description', 'Cost Centre']);
  expect(rows).toEqual([['L-1', null, '=1+1']]);
  expect(rows.map(csvRow)).toEqual(['"L-1",,"\'=1+1"\r\n']);
  const words = { serviceItemLabel: null, serviceItem2Label: null, serviceItem3Label: null };
  const voice = { id: 's', name: 'Voice', ...words, unitsLabel: null, recordTypeLabel: null };
  expect(allocationCsv([item], [voice]).rows).toEqual([['L-1', 'Voice', null, '=1+1']]);
});

it('the summary’s file adds up to the invoices by its own rows', () => {
  const { rows } = summaryCsv({ allocationOf: '2026-03-31', currencies: [part] });
  expect(rows.map(csvRow)).toEqual([
    '"Sales",2,"USD",0.10,0.02,0.12\r\n',
    '"Credits",1,"USD",-0.30,0.00,-0.30\r\n',
    '"Not allocated",0,"USD",0.30,0.06,0.36\r\n',
    expect.stringMatching(/^"Rounding.*",,"USD",0\.01,0\.00,0\.01\r\n$/),
  ]);
});

it('adds exactly, and gives shares of what costs', () => {
  expect(allocatedTotal(part)).toBe('0.18');
  expect(part.costCentres.map((row) => shareOf(row, part.costCentres))).toEqual([25, 0, 75]);
  expect(shareOf({ costCentre: 'A', serviceItems: 1, ...money(0, 0, 0) }, [])).toBe(0);
});
