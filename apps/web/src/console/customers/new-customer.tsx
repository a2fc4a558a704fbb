import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { countriesIn } from '../../paying/card/countries.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { brandQueries } from '../brands/queries.ts';
import { rowsOf } from '../parts/cursor-list.tsx';
import { NewDialog, type NewField } from '../parts/new-dialog.tsx';
import { t } from './messages.ts';
import { makeCustomer } from './queries.ts';

/** A customer by hand, by the number that the provider's own systems give it. */
export function NewCustomer({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const brands = rowsOf(useInfiniteQuery(brandQueries.list()));
  const none = { value: '', label: t('new.country.none') };
  const countries = countriesIn(readerLocale()).map(({ code, name }) => ({ value: code, label: name }));
  const ofBrand: NewField = {
    name: 'brand',
    label: t('new.brand'),
    options: [
      { value: '', label: t('details.brand.first') },
      ...brands.map(({ id, name }) => ({ value: String(id), label: name })),
    ],
  };
  const fields: readonly NewField[] = [
    { name: 'reference', label: t('new.reference'), hint: t('new.reference.hint'), required: true },
    { name: 'label', label: t('new.label'), required: true },
    { name: 'email', label: t('new.email'), hint: t('new.email.hint'), type: 'email' },
    { name: 'street', label: t('new.street') },
    { name: 'postalCode', label: t('new.postalCode'), maxLength: 40 },
    { name: 'city', label: t('new.city') },
    { name: 'country', label: t('new.country'), options: [none, ...countries] },
    ...(brands.length > 1 ? [ofBrand] : []),
  ];
  return (
    <NewDialog
      title={t('new.title')}
      act={t('new.act')}
      fields={fields}
      taken={t('new.taken')}
      onClose={onClose}
      onMake={async ({ reference = '', label = '', street = '', ...rest }) => {
        const orNull = (name: string): string | null => rest[name] || null;
        const { id } = await makeCustomer(reference, {
          label,
          email: orNull('email'),
          country: orNull('country'),
          address: {
            lines: street === '' ? [] : [street],
            city: orNull('city'),
            postalCode: orNull('postalCode'),
            region: null,
          },
          brandId: rest['brand'] ? Number(rest['brand']) : null,
        });
        await navigate({ to: `/admin/customers/${id}` as never });
      }}
    />
  );
}
