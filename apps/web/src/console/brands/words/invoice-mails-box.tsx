import { useState } from 'react';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { TextInput } from '../../../ui/fields/text-input.tsx';
import { Box } from '../../parts/box.tsx';
import styles from '../brands.module.css';
import { useBrandField } from '../editor.ts';
import { t } from '../messages.ts';
import { daysText, readDays } from './days.ts';

/** As they are edited: days that could not be read are the text that was typed, which the server refuses. */
interface InvoiceMailsDraft {
  readonly newInvoices: boolean;
  readonly withPdf: boolean;
  readonly withUsageCsv: boolean;
  readonly daysBefore: readonly number[] | string;
  readonly daysAfter: readonly number[] | string;
}

/** Which mails about invoices customers get, and when. */
export function InvoiceMailsBox() {
  const { value, isChanged, set } = useBrandField('settings.invoiceMails');
  const mails = value as InvoiceMailsDraft;
  const change = (part: Partial<InvoiceMailsDraft>) => set(Object.assign({}, mails, part));
  return (
    <Box title={t('invoiceMails')} aside={isChanged ? t('changed') : t('invoiceMails.hint')}>
      <div className={styles.fields}>
        <Checkbox
          labelShown
          label={t('invoiceMails.newInvoices')}
          checked={mails.newInvoices}
          onChange={(newInvoices) => change({ newInvoices })}
        />
        <Checkbox
          labelShown
          label={t('invoiceMails.withPdf')}
          checked={mails.withPdf}
          onChange={(withPdf) => change({ withPdf })}
        />
        <Checkbox
          labelShown
          label={t('invoiceMails.withUsageCsv')}
          checked={mails.withUsageCsv}
          onChange={(withUsageCsv) => change({ withUsageCsv })}
        />
        <DaysField
          name="daysBefore"
          least={0}
          value={mails.daysBefore}
          onChange={(daysBefore) => change({ daysBefore })}
        />
        <DaysField
          name="daysAfter"
          least={1}
          value={mails.daysAfter}
          onChange={(daysAfter) => change({ daysAfter })}
        />
      </div>
    </Box>
  );
}

interface DaysFieldProps {
  readonly name: 'daysBefore' | 'daysAfter';
  readonly least: number;
  readonly value: readonly number[] | string;
  readonly onChange: (value: readonly number[] | string) => void;
}

function DaysField({ name, least, value, onChange }: DaysFieldProps) {
  const [typed, setTyped] = useState('');
  // While it means the same, what was typed stays as it was typed: '1,' on its way to '1, 7'.
  const isAsTyped = JSON.stringify(readDays(typed, least)) === JSON.stringify(value);
  return (
    <TextInput
      label={t(`invoiceMails.${name}`)}
      hint={t(`invoiceMails.${name}.hint`)}
      error={typeof value === 'string' ? t('invoiceMails.days.wrong', { least }) : undefined}
      type="text"
      inputMode="numeric"
      filter
      autoComplete="off"
      maxLength={40}
      value={isAsTyped ? typed : daysText(value)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(readDays(currentTarget.value, least));
      }}
    />
  );
}
