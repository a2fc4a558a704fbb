import type { ApiKeyMade, ApiKeyShown } from '@counterfoil/contract/operator/access/operator-people.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../lib/values/moment.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { Box, Loaded } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import { OnceDialog } from '../parts/once-dialog.tsx';
import parts from '../parts/parts.module.css';
import { useWhose } from './fields.tsx';
import { AddKeyDialog, RotateDialog } from './key-dialogs.tsx';
import { t } from './messages.ts';
import styles from './people.module.css';
import { peopleQueries, revokeKey } from './queries.ts';

interface Asked {
  readonly act: 'add' | 'rotate' | 'revoke';
  readonly row?: ApiKeyShown;
}

/** Keys of programs, those that have ended included. */
export function Keys() {
  const list = useQuery(peopleQueries.keys());
  const client = useQueryClient();
  const whose = useWhose();
  const [asked, setAsked] = useState<Asked>();
  const [done, setDone] = useState<string>();
  const [made, setMade] = useState<ApiKeyMade>();
  const finish = async (words: string | undefined) => {
    await client.invalidateQueries({ queryKey: ['people', 'keys'] });
    setAsked(undefined);
    setDone(words);
  };
  const show = async (key: ApiKeyMade) => {
    setMade(key);
    await finish(undefined);
  };
  const close = () => setAsked(undefined);
  const columns: readonly LedgerColumn<ApiKeyShown>[] = [
    {
      id: 'key',
      label: t('column.key'),
      kind: 'strong',
      cell: ({ name, resellerId }) => (
        <>
          {name}
          <span className={parts.more}>{whose(resellerId)}</span>
        </>
      ),
    },
    {
      id: 'scopes',
      label: t('column.scopes'),
      cell: ({ scopes }) =>
        scopes.length > SHOWN_SCOPES ? t('scopes.many', { count: String(scopes.length) }) : scopes.join(', '),
    },
    { id: 'state', label: t('column.state'), kind: 'whole', cell: (row) => <State row={row} /> },
    {
      id: 'expires',
      label: t('column.expires'),
      kind: 'whole',
      cell: ({ expiresAt }) => (expiresAt === null ? t('never') : formatMoment(expiresAt, 'UTC').day),
    },
    {
      id: 'used',
      label: t('column.used'),
      kind: 'whole',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('never') : formatMoment(lastUsedAt, 'UTC').day),
    },
    {
      id: 'acts',
      label: t('column.acts'),
      cell: (row) =>
        row.revokedAt === null && (
          <div className={styles.acts}>
            {(['rotate', 'revoke'] as const).map((act) => (
              <Button
                key={act}
                size="small"
                aria-label={t(`key.${act}.name`, { name: row.name })}
                onClick={() => setAsked({ act, row })}
              >
                {t(`key.${act}`)}
              </Button>
            ))}
          </div>
        ),
    },
  ];
  return (
    <div className={styles.panel}>
      <div className={styles.panelTop}>
        <Button variant="primary" onClick={() => setAsked({ act: 'add' })}>
          {t('key.add')}
        </Button>
      </div>
      <Done words={done} onClose={() => setDone(undefined)} />
      <Loaded query={list} height="12rem">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState level={2} icon="lock" title={t('key.none')}>
              {t('key.noneWhy')}
            </EmptyState>
          ) : (
            <Box title={t('tab.keys')} hideTitle flush>
              <Ledger label={t('tab.keys')} columns={columns} rows={rows} rowId={({ id }) => id} />
            </Box>
          )
        }
      </Loaded>
      {asked?.act === 'add' && <AddKeyDialog onMade={show} onClose={close} />}
      {asked?.act === 'rotate' && asked.row !== undefined && (
        <RotateDialog row={asked.row} onMade={show} onClose={close} />
      )}
      {asked?.act === 'revoke' && asked.row !== undefined && (
        <ConfirmDialog
          title={t('key.revoke.title', { name: asked.row.name })}
          act={t('key.revoke')}
          busyAct={t('key.revoke.busy')}
          onClose={close}
          onConfirm={async () => {
            if (asked.row === undefined) return;
            await revokeKey(asked.row.id);
            await finish(t('key.revoke.done', { name: asked.row.name }));
          }}
        >
          {t('key.revoke.text')}
        </ConfirmDialog>
      )}
      {made !== undefined && (
        <OnceDialog
          title={t('secret.title', { name: made.name })}
          text={t('secret.text')}
          secret={made.key}
          onClose={() => setMade(undefined)}
        />
      )}
    </div>
  );
}

/** More of them are counted. */
const SHOWN_SCOPES = 4;

function State({ row: { revokedAt, expiresAt } }: { readonly row: ApiKeyShown }) {
  if (revokedAt !== null)
    return (
      <StatusPill tone="neutral" icon="minus">
        {t('key.state.revoked')}
      </StatusPill>
    );
  if (expiresAt !== null && new Date(expiresAt).getTime() <= Date.now())
    return (
      <StatusPill tone="warning" icon="clock">
        {t('key.state.expired')}
      </StatusPill>
    );
  return (
    <StatusPill tone="success" icon="check">
      {t('key.state.active')}
    </StatusPill>
  );
}
