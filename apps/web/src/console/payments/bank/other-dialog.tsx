import type { BankEntryDetail } from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { NewDialog } from '../../parts/new-dialog.tsx';
import { t } from './messages.ts';
import { book, invoicesNumbered } from './queries.ts';

interface OtherDialogProps {
  readonly entry: BankEntryDetail;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Books an entry to invoices that a person names. */
export const OtherDialog = ({ entry, onDone, onClose }: OtherDialogProps) => (
  <NewDialog
    title={t('other')}
    act={t('other.act')}
    fields={[
      {
        name: 'invoices',
        label: t('other.invoices'),
        hint: t('other.invoicesHint'),
        required: true,
        maxLength: 500,
      },
      { name: 'customer', label: t('other.customer'), hint: t('other.customerHint') },
      { name: 'note', label: t('other.note'), maxLength: 500 },
    ]}
    onMake={async ({ invoices = '', customer = '', note = '' }) => {
      const numbers = invoices
        .split(',')
        .map((number) => number.trim())
        .filter((number) => number !== '');
      const owner = customer || (await ownerOf(numbers));
      await book(entry.id, { customer: owner, invoices: numbers, note });
      await onDone();
    }}
    onClose={onClose}
  />
);

/** The one customer who has invoices of all these numbers. @throws {ApiError} in our words where there is none, or several */
async function ownerOf(numbers: readonly string[]): Promise<string> {
  const found = await Promise.all(numbers.map((number) => invoicesNumbered(number, undefined)));
  const missing = found.findIndex((list) => list.length === 0);
  if (missing >= 0) throw refused(t('other.unknown', { number: numbers[missing] ?? '' }));
  const [first = [], ...others] = found.map((list) => list.map(({ customerId }) => customerId));
  const owners = [...new Set(first)].filter((owner) => others.every((list) => list.includes(owner)));
  const [owner] = owners;
  if (owner === undefined || owners.length > 1) throw refused(t('other.several'));
  return owner;
}

const refused = (words: string): ApiError => new ApiError(400, 'request.invalid', words, {});
