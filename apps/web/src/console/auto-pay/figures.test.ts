import { describe, expect, it } from 'vitest';
import { figuresOf } from './figures.ts';

describe('the figures of the next run', () => {
  it('add up charges alone, each currency by itself and to the last unit', () => {
    const rows = [
      ['charge', '0.10', 'USD'],
      ['charge', '0.20', 'USD'],
      ['charge', '1.005', 'KWD'],
      ['announce', '50.00', 'USD'],
      ['tellNoMethod', '7.00', 'USD'],
      ['skip', '8.00', 'USD'],
      ['nothing', '9.00', 'USD'],
    ] as const;
    expect(figuresOf(rows.map(([would, amount, currency]) => ({ would, amount, currency })))).toEqual({
      charged: 3,
      sums: [
        { currency: 'KWD', amount: '1.005' },
        { currency: 'USD', amount: '0.30' },
      ],
      announced: 1,
      withoutMethod: 1,
      left: 2,
    });
  });
});
