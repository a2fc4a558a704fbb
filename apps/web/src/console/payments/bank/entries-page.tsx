import type { BankEntryDetail, bankEntryStates } from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { formatDay } from '../../../text/format.ts';
import { buttonClass } from '../../../ui/fields/button.tsx';
import { EmptyState } from '../../../ui/layout/section-state.tsx';
import { useTitle } from '../../../ui/layout/title.ts';
import { useMay } from '../../operator.ts';
import type { LedgerColumn } from '../../parts/ledger.tsx';
import { LinkedList } from '../../parts/linked-list.tsx';
import { PageTop } from '../../parts/page-top.tsx';
import { StateSelect } from '../../parts/state-select.tsx';
import { consoleName } from '../../shell/messages.ts';
import { EntryState, partyOf, signedAmount, textOf, whatOf } from './entry-words.tsx';
import { t } from './messages.ts';
import { type EntryFilter, entryQueries } from './queries.ts';

const path = '/admin/payments/bank';
const pathOf = ({ id }: BankEntryDetail): string => `${path}/${id}`;
const states = [
  'suggested',
  'unmatched',
  'booked',
  'dismissed',
] as const satisfies (typeof bankEntryStates)[number][];

/** What is most worth a line: whose it is, what fits it, else why it was not booked. */
function gistOf({ customer, candidates, reasons, note }: BankEntryDetail): string {
  const fitting = candidates.find(({ fits }) => fits);
  if (customer !== null) return customer;
  if (fitting !== undefined) return whatOf(fitting);
  const [reason] = reasons;
  return reason === undefined ? note : t(`reason.${reason}`);
}

const columns: readonly LedgerColumn<BankEntryDetail>[] = [
  {
    id: 'party',
    label: t('column.party'),
    kind: 'strong',
    cell: (row) => (
      <Link to={pathOf(row) as never} dir="auto">
        {partyOf(row)}
      </Link>
    ),
  },
  { id: 'day', label: t('column.day'), kind: 'whole', cell: ({ bookedOn }) => formatDay(bookedOn) },
  { id: 'text', label: t('column.text'), cell: (row) => <span dir="auto">{textOf(row)}</span> },
  { id: 'why', label: t('column.why'), cell: (row) => <span dir="auto">{gistOf(row)}</span> },
  { id: 'state', label: t('column.state'), kind: 'whole', cell: (row) => <EntryState state={row.state} /> },
  { id: 'amount', label: t('column.amount'), kind: 'figure', cell: signedAmount },
];

/** Entries of bank statements: those to decide, unless others are asked for. */
export default function EntriesPage() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const isAll = search['state'] === 'all';
  const state = states.find((one) => one === search['state']) ?? (isAll ? undefined : 'suggested');
  const fileId = typeof search['import'] === 'string' ? search['import'] : undefined;
  const filter: EntryFilter = {
    ...(state !== undefined && { state }),
    ...(fileId !== undefined && { import: fileId }),
  };
  const navigate = useNavigate();
  const mayUpload = useMay('imports:write');
  const list = useInfiniteQuery(entryQueries.list(filter));
  useTitle(t('title'), consoleName);
  const about = state === 'suggested' || state === 'unmatched' ? t(`about.${state}`) : t('about');
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[about]}
        acts={
          <>
            {mayUpload && (
              <Link to={'/admin/imports' as never} className={buttonClass({})}>
                {t('upload')}
              </Link>
            )}
            <StateSelect
              label={t('filter.show')}
              value={state}
              states={states}
              words={(one) => (one === undefined ? t('filter.all') : t(`state.${one}`))}
              onChange={(next) =>
                void navigate({
                  to: path as never,
                  search: {
                    state: next ?? 'all',
                    ...(fileId !== undefined && { import: fileId }),
                  } as never,
                  replace: true,
                })
              }
            />
          </>
        }
      />
      <LinkedList
        list={list}
        title={t('title')}
        columns={columns}
        pathOf={pathOf}
        nameOf={(row) => `${partyOf(row)}, ${signedAmount(row)}`}
        empty={
          <EmptyState level={2} icon="check" title={t(state === 'suggested' ? 'none.suggested' : 'none')}>
            {t(isAll ? 'noneWhy' : state === 'suggested' ? 'none.suggestedWhy' : 'none.narrowed')}
          </EmptyState>
        }
      />
    </>
  );
}
