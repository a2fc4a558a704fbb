import { moneyDigits } from '@counterfoil/domain/money/shown-decimals.ts';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Box } from '../parts/box.tsx';
import styles from './brands.module.css';
import { useBrandField } from './editor.ts';
import { t } from './messages.ts';

/** Names of settings as the editor knows them, by the word that stands beside them. */
const setting = <Name extends string>(name: Name) => ({ word: name, field: `settings.${name}` }) as const;
const own = <Name extends string>(name: Name) => ({ word: name, field: name }) as const;

const names = [
  own('name'),
  own('companyName'),
  setting('invoiceLabelSingular'),
  setting('invoiceLabelPlural'),
  setting('endServiceItemDisplayName'),
  own('currency'),
  setting('currencySymbol'),
  own('timeZone'),
  setting('language'),
] as const;
const contact = [
  setting('termsUrl'),
  setting('imprintUrl'),
  setting('privacyUrl'),
  setting('supportEmail'),
  setting('supportPhone'),
  setting('taxNumber'),
  setting('paymentTypeDisclaimer'),
] as const;
const flags = [
  'endShowDashboard',
  'endShowInvoices',
  'endShowTransactions',
  'endShowUsage',
  'endShowReports',
  'endShowCostCentre',
  'endShowServiceItem',
  'endShowOpeningBalance',
  'endShowUsageCostCentre',
  'endPortalTransactionsExtraTab1',
  'endPortalTransactionsExtraTab2',
  'endPortalTransactionsExtraTab3',
  'endPortalTransactionsExtraTab4',
  'endPortalTransactionsExtraTab5',
  'paymentsEnabled',
  'bulkPay',
  'partPayment',
  'billingAddressRequired',
  'cardHolderRequired',
  'emailReceipt',
  'itemisedRecords',
  'requireSecondFactor',
] as const;

/** Which pages and parts of pages there are. */
export const FlagsBox = () => (
  <Box title={t('flags')}>
    <div className={styles.flags}>
      {flags.map((name) => (
        <Flag key={name} name={name} />
      ))}
    </div>
  </Box>
);

/** What the brand and its things are called, how it is reached, and at which hosts. */
export const NamesBoxes = () => (
  <>
    <Box title={t('names')}>
      <div className={styles.fields}>
        {names.map((one) => (
          <TextField key={one.field} {...one} />
        ))}
        <DigitsField />
        <LinesField {...setting('transactionExtraLabels')} />
      </div>
    </Box>
    <Box title={t('contact')} aside={t('contact.hint')}>
      <div className={styles.fields}>
        {contact.map((one) => (
          <TextField key={one.field} {...one} />
        ))}
        <LinesField {...setting('postalAddress')} />
        <LinesField {...setting('bankDetails')} />
        <InstructionsField />
      </div>
    </Box>
    <Box title={t('hosts')}>
      <LinesField {...own('hosts')} />
    </Box>
  </>
);

function Flag({ name }: { readonly name: (typeof flags)[number] }) {
  const { value, set } = useBrandField(`settings.${name}`);
  return <Checkbox labelShown label={t(`flag.${name}`)} checked={value === true} onChange={set} />;
}

type Named = (typeof names)[number] | (typeof contact)[number];

function hintOf(word: Named['word']): string | undefined {
  if (word === 'companyName') return t('text.companyName.hint');
  return word.endsWith('Url') ? t('text.url.hint') : undefined;
}

function TextField({ word, field }: Named) {
  const { value, isChanged, set } = useBrandField(field);
  return (
    <TextInput
      label={t(`text.${word}`)}
      hint={hintOf(word)}
      optional={isChanged ? t('changed') : undefined}
      type="text"
      filter
      autoComplete="off"
      maxLength={500}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

interface LinesProps {
  readonly word: 'transactionExtraLabels' | 'postalAddress' | 'bankDetails' | 'hosts';
  readonly field: string;
}

function LinesField({ word, field }: LinesProps) {
  const { value, set } = useBrandField(field);
  const lines = Array.isArray(value) ? value.map(String) : [];
  const isHosts = word === 'hosts';
  return (
    <AreaField
      field={field}
      label={isHosts ? t('hosts.list') : t(`text.${word}`)}
      hint={t(isHosts ? 'hosts.hint' : 'lines.hint')}
      text={lines.join('\n')}
      onText={(typed) => set(typed === '' ? [] : typed.split('\n'))}
    />
  );
}

function InstructionsField() {
  const { field } = setting('paymentInstructions');
  const { value, set } = useBrandField(field);
  return (
    <AreaField
      field={field}
      label={t('text.paymentInstructions')}
      hint={t('text.paymentInstructions.hint')}
      text={String(value ?? '')}
      maxLength={1000}
      leastRows={4}
      onText={set}
    />
  );
}

interface AreaProps {
  readonly field: string;
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  readonly maxLength?: number;
  readonly leastRows?: number;
  readonly onText: (typed: string) => void;
}

function AreaField({ field, label, hint, text, maxLength, leastRows = 2, onText }: AreaProps) {
  const { isChanged } = useBrandField(field);
  return (
    <Field label={label} hint={hint} optional={isChanged ? t('changed') : undefined} filter>
      {(control) => (
        <textarea
          {...control}
          className={styles.area}
          rows={Math.min(Math.max(text.split('\n').length, leastRows), 8)}
          spellCheck="false"
          maxLength={maxLength}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** How many decimals people are shown of money. */
function DigitsField() {
  const { field } = setting('moneyDigits');
  const { value, isChanged, set } = useBrandField(field);
  return (
    <Select
      label={t('text.moneyDigits')}
      optional={isChanged ? t('changed') : undefined}
      filter
      value={String(value ?? 'two')}
      onChange={(event) => set(event.currentTarget.value)}
    >
      {moneyDigits.map((digits) => (
        <option key={digits} value={digits}>
          {t(`text.moneyDigits.${digits}`)}
        </option>
      ))}
    </Select>
  );
}
