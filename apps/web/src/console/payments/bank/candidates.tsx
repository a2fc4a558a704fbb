import type {
  BankEntryCandidate,
  BankEntryDetail,
} from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { isPositive, isZero } from '@counterfoil/domain/money/money.ts';
import { Link } from '@tanstack/react-router';
import { formatMoney } from '../../../text/format.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { Box, Nothing } from '../../parts/box.tsx';
import { KeyOf } from '../../parts/key.tsx';
import { Ledger, type LedgerColumn } from '../../parts/ledger.tsx';
import parts from '../../parts/parts.module.css';
import { sizeOf, surplusOf, whatOf } from './entry-words.tsx';
import { t } from './messages.ts';

interface CandidatesProps {
  readonly entry: BankEntryDetail;
  readonly isBooking: boolean;
  /** Undefined: who looks may not. */
  readonly onBook: ((candidate: BankEntryCandidate) => void) | undefined;
}

const keyOf = (one: BankEntryCandidate): string => `${one.paymentId ?? one.customerId} ${whatOf(one)}`;

/** Invoices, or payments, that an entry may be about, each with what it comes to; D books the first. */
export function Candidates({ entry, isBooking, onBook }: CandidatesProps) {
  const [first] = entry.candidates;
  const columns: LedgerColumn<BankEntryCandidate>[] = [
    {
      id: 'customer',
      label: t('may.column.customer'),
      kind: 'strong',
      cell: ({ customer, customerId }) => (
        <Link to={`/admin/customers/${customerId}` as never} dir="auto">
          {customer}
        </Link>
      ),
    },
    {
      id: 'invoices',
      label: t('may.column.invoices'),
      cell: ({ invoices }) => invoices.map(({ number }) => number).join(', '),
    },
    { id: 'due', label: t('may.column.due'), cell: (one) => <Due entry={entry} candidate={one} /> },
  ];
  if (onBook !== undefined)
    columns.push({
      id: 'act',
      label: t('may.column.act'),
      kind: 'figure',
      cell: (one) => (
        <Button
          size="small"
          variant={one === first ? 'primary' : 'secondary'}
          busy={isBooking && one === first}
          busyLabel={t('book.busy')}
          {...(one === first && { 'aria-keyshortcuts': 'd' })}
          onClick={() => onBook(one)}
        >
          {t(one.paymentId === null ? 'book' : 'book.back')}
          <VisuallyHidden>{t('book.to', { what: whatOf(one) })}</VisuallyHidden>
          {one === first && <KeyOf>D</KeyOf>}
        </Button>
      ),
    });
  return (
    <Box title={t('may.title')} flush>
      {entry.candidates.length === 0 ? (
        <Nothing>{t('may.none')}</Nothing>
      ) : (
        <Ledger label={t('may.title')} columns={columns} rows={entry.candidates} rowId={keyOf} />
      )}
    </Box>
  );
}

/** What is due of it, and how that differs from the entry. */
function Due({
  entry,
  candidate,
}: {
  readonly entry: BankEntryDetail;
  readonly candidate: BankEntryCandidate;
}) {
  const { invoices, paymentId } = candidate;
  if (paymentId !== null) return t('may.fits');
  const surplus = surplusOf(entry, invoices);
  const differs =
    surplus === undefined
      ? t('may.otherCurrency')
      : isZero(surplus)
        ? t('may.fits')
        : t(isPositive(surplus) ? 'may.more' : 'may.less', { amount: sizeOf(surplus) });
  return (
    <>
      {invoices.map(({ due, currency }) => formatMoney(due, { currency })).join(' + ')}
      <span className={parts.more}>{differs}</span>
    </>
  );
}
