import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { BigAmount } from './big-amount.tsx';

const lengthOf = (amount: string) =>
  /data-length="(\w+)"/.exec(renderToStaticMarkup(<BigAmount>{amount}</BigAmount>))?.[1];

it('the longer an amount, the smaller its figures: it stands in one piece', () => {
  expect(lengthOf('$1,284.16')).toBeUndefined();
  expect(lengthOf('A$123,456.78')).toBeUndefined();
  expect(lengthOf('A$123,456,789.12')).toBe('long');
  expect(lengthOf('A$90,071,992,547,409.91')).toBe('longer');
});
