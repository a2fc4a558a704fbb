import type { AuditEventShown } from '@counterfoil/contract/operator/audit-trail.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { CursorList } from '../parts/cursor-list.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import { dayAndTimeOnly } from '../parts/moments.ts';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { t } from './messages.ts';
import { auditQueries, type TrailFilter } from './queries.ts';
import { actionWords, detailLines, whoActed } from './words.ts';

const columns: readonly LedgerColumn<AuditEventShown>[] = [
  {
    id: 'what',
    label: t('column.what'),
    kind: 'strong',
    cell: ({ action, detail, customerId }) => (
      <>
        {actionWords(action)}
        <span className={parts.more}>
          {detailLines(detail).join(' · ')}{' '}
          {customerId !== null && <Link to={`/admin/customers/${customerId}` as never}>{t('customer')}</Link>}
        </span>
      </>
    ),
  },
  { id: 'who', label: t('column.who'), cell: (row) => whoActed(row) },
  {
    id: 'account',
    label: t('column.account'),
    cell: (row) => (row.user === whoActed(row) ? null : row.user),
  },
  { id: 'from', label: t('column.from'), kind: 'whole', cell: ({ address }) => address },
  {
    id: 'at',
    label: t('column.at'),
    kind: 'whole',
    cell: ({ at }) => dayAndTimeOnly(at),
  },
];

function useFilter(): TrailFilter {
  const { customer, user } = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  return {
    ...(typeof customer === 'string' && customer !== '' ? { customer } : {}),
    ...(typeof user === 'string' && user !== '' ? { user } : {}),
  };
}

/** Who did what with what is the reseller's. */
export default function AuditPage() {
  const filter = useFilter();
  const navigate = useNavigate();
  const [user, setUser] = useState(filter.user ?? '');
  const list = useInfiniteQuery(auditQueries.list(filter));
  useTitle(t('title'), consoleName);
  const show = (search: TrailFilter) =>
    void navigate({ to: '/admin/audit' as never, search: search as never });
  const isNarrowed = filter.customer !== undefined || filter.user !== undefined;
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t(filter.customer === undefined ? 'about' : 'about.customer')]}
        acts={
          <form
            className={parts.filters}
            onSubmit={(event) => {
              event.preventDefault();
              const { user: _before, ...rest } = filter;
              show(user.trim() === '' ? rest : { ...rest, user: user.trim() });
            }}
          >
            <TextInput
              label={t('filter.user')}
              filter
              type="text"
              inputMode="email"
              autoComplete="off"
              spellCheck="false"
              maxLength={254}
              placeholder={t('filter.user.hint')}
              value={user}
              onChange={(event) => setUser(event.currentTarget.value)}
            />
            <Button type="submit">{t('filter.show')}</Button>
            {isNarrowed && (
              <Button
                variant="quiet"
                onClick={() => {
                  setUser('');
                  show({});
                }}
              >
                {t('filter.all')}
              </Button>
            )}
          </form>
        }
      />
      <CursorList
        list={list}
        title={t('title')}
        empty={
          <EmptyState level={2} icon="search" title={t('none')}>
            {t('noneWhy')}
          </EmptyState>
        }
      >
        {(rows: readonly AuditEventShown[]) => (
          <Ledger label={t('title')} columns={columns} rows={rows} rowId={({ id }) => id} />
        )}
      </CursorList>
    </>
  );
}
