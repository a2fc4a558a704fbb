import { describe, expect, it } from 'vitest';
import { contains, filterItems } from './filter-items.ts';

const item = (serviceItem: string, description: string | null, costCentre: string | null) => ({
  id: serviceItem,
  serviceId: 's',
  serviceItem,
  description,
  costCentre,
});
const items = [
  item('+44 20 7946 0001', 'Reception', 'Sales 10'),
  item('+44 20 7946 0002', 'Straße', 'Sales 2'),
  item('+44 161 496 0003', null, null),
];
const found = (filters: Parameters<typeof filterItems>[1]) =>
  filterItems(items, filters).map(({ id }) => id.at(-1));

describe('filters', () => {
  it('each is a case-insensitive contains filter [portal.cost-centres.contains]', () => {
    expect(found({ serviceItem: '7946' })).toEqual(['1', '2']);
    expect(found({ description: 'CEPT' })).toEqual(['1']);
    expect(found({ costCentre: 'sALES' })).toEqual(['1', '2']);
  });

  it('together narrow the list; empty ones and blanks around do not', () => {
    expect(found({ serviceItem: '7946', costCentre: '2' })).toEqual(['2']);
    expect(found({ serviceItem: '', description: undefined, costCentre: '   ' })).toEqual(['1', '2', '3']);
    expect(found({ description: ' reception ' })).toEqual(['1']);
  });

  it('find nothing in what is empty, and take every sign as it is', () => {
    expect(found({ description: 'x' })).toEqual([]);
    expect(found({ serviceItem: '+44 1' })).toEqual(['3']);
    expect(found({ serviceItem: '.*' })).toEqual([]);
  });

  it('knows a letter by either of its encodings', () => {
    expect(contains('Cafe\u0301', 'CAFÉ')).toBe(true);
  });
});
