import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { TextInput } from '../../../ui/fields/text-input.tsx';
import { Box } from '../../parts/box.tsx';
import styles from '../brands.module.css';
import { useBrandField } from '../editor.ts';
import { t } from '../messages.ts';

const texts = [
  'legalName',
  'vatId',
  'legalId',
  'legalIdScheme',
  'endpoint',
  'endpointScheme',
  'street',
  'postalCode',
  'city',
  'country',
  'iban',
  'exemptionReason',
] as const;
const categories = ['Z', 'E', 'AE', 'G', 'O'] as const;

type Draft = Readonly<Record<(typeof texts)[number], string>> & {
  readonly isOffered: boolean;
  readonly untaxedCategory: (typeof categories)[number];
};

const hints: Partial<Record<(typeof texts)[number], Parameters<typeof t>[0]>> = {
  vatId: 'eInvoice.vatId.hint',
  legalIdScheme: 'eInvoice.legalIdScheme.hint',
  endpointScheme: 'eInvoice.endpointScheme.hint',
  country: 'eInvoice.country.hint',
  exemptionReason: 'eInvoice.exemptionReason.hint',
};

/** The provider as e-invoices state it, and whether customers are offered any. */
export function EInvoiceBox() {
  const { value, isChanged, set } = useBrandField('settings.eInvoice');
  const facts = value as Draft;
  const change = (part: Partial<Draft>) => set(Object.assign({}, facts, part));
  return (
    <Box title={t('eInvoice')} aside={isChanged ? t('changed') : t('eInvoice.hint')}>
      <div className={styles.fields}>
        <Checkbox
          labelShown
          label={t('eInvoice.isOffered')}
          checked={facts.isOffered}
          onChange={(isOffered) => change({ isOffered })}
        />
        {texts.map((name) => {
          const hint = hints[name];
          return (
            <TextInput
              key={name}
              label={t(`eInvoice.${name}`)}
              hint={hint && t(hint)}
              type="text"
              filter
              autoComplete="off"
              maxLength={200}
              value={facts[name]}
              onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
            />
          );
        })}
        <Select
          label={t('eInvoice.untaxedCategory')}
          hint={t('eInvoice.untaxedCategory.hint')}
          filter
          value={facts.untaxedCategory}
          onChange={({ currentTarget }) => {
            const chosen = categories.find((category) => category === currentTarget.value);
            if (chosen !== undefined) change({ untaxedCategory: chosen });
          }}
        >
          {categories.map((category) => (
            <option key={category} value={category}>
              {t(`eInvoice.untaxedCategory.${category}`)}
            </option>
          ))}
        </Select>
      </div>
    </Box>
  );
}
