import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { formatDay, formatMoney, formatNumber } from '../../text/format.ts';
import { buttonClass } from '../../ui/fields/button.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { BrandFilter, useAddress, useBrand } from './brand-filter.tsx';
import { t } from './messages.ts';
import { autoPayQueries, type ListedRun, type RunFilter } from './queries.ts';
import { reasonWords } from './reasons.ts';

const figure = (id: 'charged' | 'declined' | 'failed' | 'underWay'): LedgerColumn<ListedRun> => ({
  id,
  label: t(`column.${id}`),
  kind: 'figure',
  cell: (run) => (run[id] === 0 ? <span className={parts.muted}>0</span> : formatNumber(run[id])),
});

const foundIn = ({ charged, declined, failed, underWay, skipped }: ListedRun): number =>
  charged + declined + failed + underWay + skipped;

const columnsOf = (
  pathOf: (run: ListedRun) => string,
  search: object,
): readonly LedgerColumn<ListedRun>[] => [
  {
    id: 'day',
    label: t('column.day'),
    kind: 'strong',
    cell: (run) => (
      <Link to={pathOf(run) as never} search={search as never}>
        {formatDay(run.day)}
      </Link>
    ),
  },
  {
    id: 'found',
    label: t('column.found'),
    kind: 'figure',
    cell: (run) => formatNumber(foundIn(run)),
  },
  figure('charged'),
  figure('declined'),
  figure('failed'),
  figure('underWay'),
  {
    id: 'skipped',
    label: t('column.skipped'),
    cell: ({ skipped, reasons }) =>
      skipped > 0 && (
        <>
          {formatNumber(skipped)}
          <span className={parts.more}>{reasons.map(({ reason }) => reasonWords(reason)).join(' · ')}</span>
        </>
      ),
  },
  {
    id: 'taken',
    label: t('column.taken'),
    kind: 'figure',
    cell: ({ taken }) => taken.map(({ amount, currency }) => formatMoney(amount, { currency })).join(', '),
  },
];

/** What Auto-Pay did, a run a day, and the way to what it does next. */
export default function AutoPayRunsPage() {
  const brand = useBrand();
  const filter: RunFilter = {
    ...(brand === undefined ? {} : { brand }),
    ...(useAddress()['days'] === 'year' ? { days: 'year' as const } : {}),
  };
  const navigate = useNavigate();
  const list = useInfiniteQuery(autoPayQueries.runs(filter));
  useTitle(t('title'), consoleName);
  const show = (search: RunFilter) =>
    void navigate({ to: '/admin/auto-pay' as never, search: search as never, replace: true });
  const ofBrand = brand === undefined ? {} : { brand };
  const pathOf = ({ day }: ListedRun): string => `/admin/auto-pay/${day}`;
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t('about')]}
        acts={
          <>
            <BrandFilter
              value={brand}
              onChange={(chosen) => {
                const { brand: _before, ...rest } = filter;
                show(chosen === undefined ? rest : { ...rest, brand: chosen });
              }}
            />
            <Select
              label={t('filter.days')}
              filter
              value={filter.days ?? ''}
              onChange={(event) =>
                show(event.currentTarget.value === 'year' ? { ...ofBrand, days: 'year' } : ofBrand)
              }
            >
              <option value="">{t('filter.days.month')}</option>
              <option value="year">{t('filter.days.year')}</option>
            </Select>
            <Link className={buttonClass({})} to={'/admin/auto-pay/next' as never}>
              {t('nextRun')}
            </Link>
          </>
        }
      />
      <LinkedList
        list={list}
        title={t('runs.title')}
        columns={columnsOf(pathOf, ofBrand)}
        pathOf={pathOf}
        nameOf={({ day }) => formatDay(day)}
        empty={
          <EmptyState level={2} icon="card" title={t('none')}>
            {t('noneWhy')}
          </EmptyState>
        }
      />
    </>
  );
}
