import { type SumRow, SumRows } from '../../ui/data/sum-rows.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import styles from './pay-otherwise.module.css';
import { t } from './pay-otherwise-messages.ts';

export interface OtherWay {
  /** Numbers of the invoices; empty where none is asked about. */
  readonly numbers: readonly string[];
  /** Formatted, without any fee: a transfer has none. */
  readonly amount?: string | undefined;
  readonly company: string;
  readonly bankDetails: readonly string[];
  readonly email: string;
  readonly phone: string;
}

/** How to pay where no payment can be made here: to which account, with which reference, and whom to ask. */
export function PayOtherwise({ numbers, amount, company, bankDetails, email, phone }: OtherWay) {
  const hasBank = bankDetails.length > 0;
  const reference = numbers.join(', ');
  const rows: readonly SumRow[] = [
    ...(amount === undefined ? [] : [{ id: 'amount', label: t('amount'), value: amount }]),
    ...(hasBank ? [{ id: 'bank', label: t('account'), value: <BankLines lines={bankDetails} /> }] : []),
    ...(reference === '' ? [] : [{ id: 'reference', label: t('reference'), value: reference }]),
  ];
  return (
    <div className={styles.otherwise}>
      <p>{hasBank ? t(reference === '' ? 'bank' : 'bankWithReference') : t('contact', { company })}</p>
      {rows.length > 0 && <SumRows look="ruled" rows={rows} />}
      {hasBank && reference !== '' && (
        <div>
          <CopyButton key={reference} text={reference} label={t('copy')} copied={t('copied')} />
        </div>
      )}
      <Contacts {...{ email, phone }} />
    </div>
  );
}

const BankLines = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.map((line, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same line may stand twice, and none moves
    <span key={place} className={styles.line}>
      {line}
    </span>
  ));

/** Whom to ask; nothing where the brand names nobody. */
const Contacts = ({ email, phone }: Pick<OtherWay, 'email' | 'phone'>) =>
  (email || phone) && (
    <p className={styles.contacts}>
      <span>{t('questions')}</span>
      {phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}
      {email && <a href={`mailto:${email}`}>{email}</a>}
    </p>
  );
