import { envelope } from '@counterfoil/contract/envelope.ts';
import { usagePage } from '@counterfoil/contract/usage.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { declaredOnly } from './declared-only.ts';

const writerOf = (schema: z.ZodMiniType) => declaredOnly({ schema });

describe('an answer written without a look at each value', () => {
  it('has what the schema declares and nothing else, at every depth', () => {
    const bill = { invoiceId: 'i', invoiceNumber: '7', invoiceLineId: 'l' };
    const record = {
      id: 'a',
      date: '2026-01-01T00:00:00.000Z',
      serviceItemName: '06"1',
      serviceItemDescription: null,
      serviceItem2: '',
      serviceItem3: '',
      siteName: null,
      units: 1.5,
      price: null,
      recordType: 'SMS',
      unit: 'message',
      costCentre: null,
      billedBy: bill,
    };
    const answer = { data: { endUsageDetails: [record, { ...record, billedBy: null }], totalCount: 2 } };
    const spoilt = {
      secret: 1,
      data: {
        ...answer.data,
        secret: 2,
        endUsageDetails: [
          { ...record, secret: 3, billedBy: { ...bill, secret: 4 } },
          { ...record, billedBy: null },
        ],
      },
    };
    const text = writerOf(envelope(usagePage))(spoilt);
    expect(JSON.parse(text)).toEqual(answer);
  });

  it('is written once for the same object', () => {
    const data = { totalCount: 1, endUsageDetails: [] };
    const write = writerOf(envelope(usagePage));
    const first = write({ data });
    data.totalCount = 2;
    expect(write({ data })).toBe(first);
    expect(write({ data: { ...data } })).toBe('{"data":{"endUsageDetails":[],"totalCount":2}}');
  });

  it('is refused at the start where it could not tell what is declared', () => {
    expect(() => writerOf(z.object({ data: z.union([z.string(), z.number()]) }))).toThrow('union');
  });
});
