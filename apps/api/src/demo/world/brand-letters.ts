import type { DemoBrand } from './brand.ts';

/** What a demo brand's letters say of it: address, tax number, bank. The numbers are invented and belong to nobody. */
interface BrandLetters {
  readonly address: readonly string[];
  readonly bank: readonly string[];
  readonly isItemised?: boolean;
}

const street = '1 Exchange Square';
const american = (id: number, place: string): BrandLetters => ({
  address: [street, place, 'United States'],
  bank: [`Routing ${String(id).padStart(9, '0')}`, `Account 5550 0${100 + id}`],
});
const australian = (id: number, place: string): BrandLetters => ({
  address: [street, place, 'Australia'],
  bank: [`BSB 000-${String(id).padStart(3, '0')}`, `Account 5550 0${100 + id}`],
});
const british = (id: number, place: string): BrandLetters => ({
  address: [street, place, 'United Kingdom'],
  bank: [`Sort code 00-00-${String(id).padStart(2, '0')}`, `Account 55500${100 + id}`],
});

/** By the brand's id. */
const letters: Readonly<Record<number, BrandLetters>> = {
  1: { ...american(1, 'Portland, ME 04101'), isItemised: true },
  2: { ...australian(2, 'Sydney NSW 2000'), isItemised: true },
  3: american(3, 'Oakland, CA 94607'),
  4: british(4, 'Bristol BS1 4ND'),
  5: {
    address: ['Am Speicherplatz 1', '20457 Hamburg', 'Germany'],
    bank: ['IBAN DE00 0000 0000 5550 0105 00', 'BIC TESTDE00'],
  },
  6: american(6, 'Boulder, CO 80302'),
  7: american(7, 'Omaha, NE 68102'),
  8: american(8, 'Tempe, AZ 85281'),
  9: {
    address: [street, 'Kingston ON K7L 1A1', 'Canada'],
    bank: ['Institution 000, transit 00009', 'Account 5550 0109'],
  },
  10: australian(10, 'Adelaide SA 5000'),
  11: american(11, 'Juneau, AK 99801'),
  12: australian(12, 'Geelong VIC 3220'),
  13: british(13, 'Dundee DD1 4BG'),
  14: {
    address: [street, 'Kuwait City 15000', 'Kuwait'],
    bank: ['IBAN KW00 TEST 0000 0000 0000 0055 5001 14'],
  },
};

/** As its invoices state it; null where there is no tax. */
export const taxNumberOf = ({ id, country, taxPoints }: Pick<DemoBrand, 'id' | 'country' | 'taxPoints'>) =>
  taxPoints === 0 ? null : `${country}${100_000_000 + id * 7_919}`;

/** Settings of a brand for its letters, as the provider's commands take them. */
export function letterSettings(brand: Pick<DemoBrand, 'id' | 'country' | 'taxPoints'>): readonly string[] {
  const own = letters[brand.id];
  if (own === undefined) return [];
  const taxNumber = taxNumberOf(brand);
  return [
    `postalAddress=${JSON.stringify(own.address)}`,
    ...(taxNumber === null ? [] : [`taxNumber=Tax number ${taxNumber}`]),
    `bankDetails=${JSON.stringify(own.bank)}`,
    ...(own.isItemised === true ? ['itemisedRecords=true'] : []),
  ];
}
