import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { NewDialog } from '../parts/new-dialog.tsx';
import { t } from './messages.ts';
import { makeBrand } from './queries.ts';

const listed = (key: 'timeZone' | 'currency') =>
  Intl.supportedValuesOf(key).map((value) => ({ value, label: value }));

/** Pages show '$' unless a brand says otherwise: one that is made in euros means '€'. */
const symbolOf = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/** A brand with the colours and settings that brands begin with; all of it can be changed on its page. */
export function NewBrand({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set(['UTC', here, ...Intl.supportedValuesOf('timeZone')])];
  return (
    <NewDialog
      title={t('new.title')}
      act={t('new.act')}
      taken={t('new.taken')}
      fields={[
        { name: 'reference', label: t('column.reference'), hint: t('new.reference.hint'), required: true },
        { name: 'name', label: t('column.name'), required: true },
        { name: 'host', label: t('new.host'), hint: t('new.host.hint'), maxLength: 253 },
        { name: 'currency', label: t('column.currency'), options: listed('currency'), initial: 'USD' },
        {
          name: 'timeZone',
          label: t('new.timeZone'),
          options: zones.map((value) => ({ value, label: value })),
          initial: here,
        },
      ]}
      onClose={onClose}
      onMake={async ({ reference = '', name = '', host = '', currency = 'USD', timeZone = 'UTC' }) => {
        const hosts = host === '' ? [] : [host];
        const settings = { currencySymbol: symbolOf(currency) };
        const { id } = await makeBrand(reference, { name, hosts, currency, timeZone, settings });
        await client.invalidateQueries({ queryKey: ['brands'] });
        await navigate({ to: `/admin/brands/${id}` as never });
      }}
    />
  );
}
