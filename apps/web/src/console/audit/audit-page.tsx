import type { AuditEventShown } from '@counterfoil/contract/operator/access/audit-trail.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ChangeEvent, useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { CursorList } from '../parts/cursor-list.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import { dayAndTimeOnly } from '../parts/moments.ts';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { t } from './messages.ts';
import { auditQueries, exportTrail, type TrailFilter } from './queries.ts';
import { actionWords, allActions, detailLines, whoActed } from './words.ts';

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
  { id: 'who', label: t('column.who'), kind: 'address', cell: (row) => whoActed(row) },
  {
    id: 'account',
    label: t('column.account'),
    kind: 'address',
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

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function useFilter(): TrailFilter {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const said = (name: keyof TrailFilter, form = /./): TrailFilter => {
    const value = search[name];
    return typeof value === 'string' && form.test(value) ? { [name]: value } : {};
  };
  return {
    ...said('customer'),
    ...said('user'),
    ...said('action'),
    ...said('since', DAY),
    ...said('until', DAY),
  };
}

interface FilterFormProps {
  readonly filter: TrailFilter;
  readonly onShow: (filter: TrailFilter) => void;
}

/** What the trail is narrowed by, shown when it is sent. */
function FilterForm({ filter, onShow }: FilterFormProps) {
  const [wanted, setWanted] = useState(filter);
  const set = (name: keyof TrailFilter) => (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
    setWanted({ ...wanted, [name]: event.currentTarget.value });
  const show = (next: TrailFilter) => {
    setWanted(next);
    onShow(next);
  };
  return (
    <form
      className={parts.filters}
      onSubmit={(event) => {
        event.preventDefault();
        const filled = Object.entries(wanted).map(([name, value]) => [name, value.trim()] as const);
        show(Object.fromEntries(filled.filter(([, value]) => value !== '')));
      }}
    >
      <Select label={t('filter.what')} filter value={wanted.action ?? ''} onChange={set('action')}>
        <option value="">{t('filter.what.all')}</option>
        {allActions().map(([action, words]) => (
          <option key={action} value={action}>
            {words}
          </option>
        ))}
      </Select>
      <TextInput
        label={t('filter.user')}
        filter
        type="text"
        inputMode="email"
        autoComplete="off"
        spellCheck="false"
        maxLength={254}
        placeholder={t('filter.user.hint')}
        value={wanted.user ?? ''}
        onChange={set('user')}
      />
      <TextInput
        label={t('filter.since')}
        filter
        type="date"
        max={wanted.until ?? ''}
        value={wanted.since ?? ''}
        onChange={set('since')}
      />
      <TextInput
        label={t('filter.until')}
        filter
        type="date"
        min={wanted.since ?? ''}
        value={wanted.until ?? ''}
        onChange={set('until')}
      />
      <Button type="submit">{t('filter.show')}</Button>
      {Object.keys(filter).length > 0 && (
        <Button variant="quiet" onClick={() => show({})}>
          {t('filter.all')}
        </Button>
      )}
    </form>
  );
}

function ExportButton({ filter }: Pick<FilterFormProps, 'filter'>) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      busy={isBusy}
      busyLabel={t('exporting')}
      onClick={() => {
        setBusy(true);
        void exportTrail(filter)
          .then((file) => saveFile(file, 'audit-trail.csv'), reportFailure)
          .finally(() => setBusy(false));
      }}
    >
      <Icon name="download" />
      {t('export')}
    </Button>
  );
}

/** Who did what with what is the reseller's. */
export default function AuditPage() {
  const filter = useFilter();
  const navigate = useNavigate();
  const list = useInfiniteQuery(auditQueries.list(filter));
  useTitle(t('title'), consoleName);
  const show = (search: TrailFilter) =>
    void navigate({ to: '/admin/audit' as never, search: search as never });
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t(filter.customer === undefined ? 'about' : 'about.customer')]}
        acts={<ExportButton filter={filter} />}
      />
      <FilterForm filter={filter} onShow={show} />
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
