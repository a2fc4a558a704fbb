import type { AdminImport } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../../text/format.ts';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { whoActed } from '../audit/words.ts';
import { useMay } from '../operator.ts';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { dayAndTimeOnly } from '../parts/moments.ts';
import { PageTop } from '../parts/page-top.tsx';
import { consoleName } from '../shell/messages.ts';
import { DropFiles } from './drop-files.tsx';
import { formatName } from './format-name.ts';
import { ImportState } from './import-state.tsx';
import { t } from './messages.ts';
import { importQueries } from './queries.ts';

const pathOf = ({ id }: AdminImport): string => `/admin/imports/${id}`;

const figure = (id: 'created' | 'updated' | 'unchanged'): LedgerColumn<AdminImport> => ({
  id,
  label: t(`column.${id}`),
  kind: 'count',
  cell: (run) => formatNumber(run[id]),
});

const columns: readonly LedgerColumn<AdminImport>[] = [
  {
    id: 'file',
    label: t('column.file'),
    kind: 'strong',
    cell: (run) => (
      <Link to={pathOf(run) as never} dir="auto">
        {run.fileName}
      </Link>
    ),
  },
  {
    id: 'at',
    label: t('column.at'),
    kind: 'whole',
    cell: ({ startedAt }) => dayAndTimeOnly(startedAt),
  },
  {
    id: 'format',
    label: t('column.format'),
    cell: ({ format }) => format !== null && formatName(format),
  },
  {
    id: 'by',
    label: t('column.by'),
    cell: ({ addedBy }) => addedBy !== null && whoActed({ actor: addedBy, user: null }),
  },
  { id: 'state', label: t('column.state'), kind: 'whole', cell: (run) => <ImportState run={run} /> },
  figure('updated'),
  figure('unchanged'),
  figure('created'),
];

/** Files are dropped here; what became of them, the newest first. */
export default function ImportsPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayImport = useMay('imports:write');
  const list = useInfiniteQuery(importQueries.list());
  const [sent, setSent] = useState(0);
  useTitle(t('title'), consoleName);
  return (
    <>
      <PageTop title={t('title')} facts={[t('about')]} />
      {mayImport && (
        <DropFiles
          onSent={(runs, areAllTaken) => {
            const [only, ...others] = runs;
            void client.invalidateQueries({ queryKey: ['imports'] });
            if (only !== undefined && others.length === 0 && areAllTaken)
              void navigate({ to: pathOf(only) as never });
            else setSent(runs.length);
          }}
        />
      )}
      {sent > 0 && (
        <Outcome key={sent} tone="success" onClose={() => setSent(0)}>
          {t('sent', { sent })}
        </Outcome>
      )}
      <LinkedList
        list={list}
        title={t('list')}
        columns={columns}
        pathOf={pathOf}
        nameOf={({ fileName }) => fileName}
        empty={
          <EmptyState level={2} icon="file" title={t('none')}>
            {t('noneWhy')}
          </EmptyState>
        }
      />
    </>
  );
}
