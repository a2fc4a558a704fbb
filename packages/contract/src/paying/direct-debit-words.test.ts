import { expect, it } from 'vitest';
import { oneDebitText } from './direct-debit-words.ts';

it.each([
  ['€1284.56', '€1,284.56'],
  ['A$110.40', 'A$110.40'],
  ['JPY 1284000', 'JPY 1,284,000'],
  ['KWD 1234567.125', 'KWD 1,234,567.125'],
])('the words of one debit name %s as %s', (amount, shown) => {
  const text = oneDebitText({ amount, company: 'Northline', number: 'INV-1' });
  expect(text).toContain(`one debit of ${shown} for INV-1 of Northline.`);
});
