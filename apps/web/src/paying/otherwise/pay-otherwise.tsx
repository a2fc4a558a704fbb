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
  /** The provider's own words; '' for none. */
  readonly instructions: string;
  readonly email: string;
  readonly phone: string;
}

/** How to pay where no payment can be made here: in the provider's words or to which account, with which reference, and whom to ask. */
export function PayOtherwise(way: OtherWay) {
  const { numbers, amount, bankDetails, instructions, email, phone } = way;
  const hasBank = bankDetails.length > 0;
  const reference = numbers.join(', ');
  const isReferenceAsked = reference !== '' && (hasBank || instructions !== '');
  const rows: readonly SumRow[] = [
    ...(amount === undefined ? [] : [{ id: 'amount', label: t('amount'), value: amount }]),
    ...(hasBank ? [{ id: 'bank', label: t('account'), value: <BankLines lines={bankDetails} /> }] : []),
    ...(reference === '' ? [] : [{ id: 'reference', label: t('reference'), value: reference }]),
  ];
  return (
    <div className={styles.otherwise}>
      <p className={styles.words}>{wordsOf(way)}</p>
      {rows.length > 0 && <SumRows look="ruled" rows={rows} />}
      {isReferenceAsked && (
        <div>
          <CopyButton key={reference} text={reference} label={t('copy')} copied={t('copied')} />
        </div>
      )}
      <Contacts {...{ email, phone }} />
    </div>
  );
}

/** What is to be done, in a sentence or in the provider's own lines. */
function wordsOf({ numbers, company, bankDetails, instructions }: OtherWay): string {
  if (instructions !== '') return instructions;
  if (bankDetails.length === 0) return t('contact', { company });
  return t(numbers.length === 0 ? 'bank' : 'bankWithReference');
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
