import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Select } from '../../ui/fields/select.tsx';
import { brandQueries } from '../brands/queries.ts';
import { useMay } from '../operator.ts';
import { rowsOf } from '../parts/cursor-list.tsx';
import { t } from './messages.ts';

/** What the address says beside the path. */
export const useAddress = (): Readonly<Record<string, unknown>> =>
  useSearch({ strict: false }) as Readonly<Record<string, unknown>>;

/** The brand that the address names; undefined for all. */
export function useBrand(): number | undefined {
  const brand = Number(useAddress()['brand']);
  return Number.isSafeInteger(brand) && brand > 0 ? brand : undefined;
}

interface BrandFilterProps {
  readonly value: number | undefined;
  readonly onChange: (brand: number | undefined) => void;
}

/** Chooses a brand, where there is a choice. */
export function BrandFilter({ value, onChange }: BrandFilterProps) {
  const mayRead = useMay('brands:read');
  const brands = rowsOf(useInfiniteQuery({ ...brandQueries.list(), enabled: mayRead }));
  if (brands.length < 2) return null;
  return (
    <Select
      label={t('filter.brand')}
      filter
      value={value ?? ''}
      onChange={(event) => onChange(Number(event.currentTarget.value) || undefined)}
    >
      <option value="">{t('filter.brand.all')}</option>
      {brands.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
