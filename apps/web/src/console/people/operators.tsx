import type { OperatorInvited, OperatorShown } from '@counterfoil/contract/operator/operator-people.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../lib/values/moment.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Box, Loaded } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import parts from '../parts/parts.module.css';
import { OnceDialog, useWhose } from './fields.tsx';
import { t } from './messages.ts';
import { CodeDialog, OperatorDialog } from './operator-dialogs.tsx';
import styles from './people.module.css';
import { disableOperator, peopleQueries } from './queries.ts';

type Act = 'add' | 'change' | 'disable' | 'enable' | 'reset';

interface Asked {
  readonly act: Act;
  readonly row?: OperatorShown;
}

const looks = {
  active: ['success', 'check'],
  invited: ['info', 'clock'],
  noWayIn: ['warning', 'alert'],
  disabled: ['neutral', 'lock'],
} as const;

/** Who may sign in to the console, and what owners do about them. */
export function Operators() {
  const list = useQuery(peopleQueries.operators());
  const client = useQueryClient();
  const whose = useWhose();
  const [asked, setAsked] = useState<Asked>();
  const [done, setDone] = useState<string>();
  const [invited, setInvited] = useState<OperatorInvited>();
  const finish = async (words: string | undefined) => {
    await client.invalidateQueries({ queryKey: ['people', 'operators'] });
    setAsked(undefined);
    setDone(words);
  };
  const invite = async (made: OperatorInvited) => {
    setInvited(made);
    await finish(undefined);
  };
  const close = () => setAsked(undefined);
  const columns: readonly LedgerColumn<OperatorShown>[] = [
    {
      id: 'operator',
      label: t('column.operator'),
      kind: 'strong',
      cell: ({ displayName, email, isSelf }) => (
        <>
          <span dir="auto">{displayName}</span>
          {isSelf && ` (${t('self')})`}
          <span className={parts.more}>{email}</span>
        </>
      ),
    },
    { id: 'role', label: t('column.role'), kind: 'whole', cell: ({ role }) => t(`short.${role}`) },
    { id: 'whose', label: t('column.whose'), cell: ({ resellerId }) => whose(resellerId) },
    { id: 'state', label: t('column.state'), kind: 'whole', cell: ({ state }) => <State state={state} /> },
    {
      id: 'used',
      label: t('column.used'),
      kind: 'whole',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('never') : formatMoment(lastUsedAt, 'UTC').day),
    },
    {
      id: 'acts',
      label: t('column.acts'),
      kind: 'figure',
      cell: (row) => <Acts row={row} onAsk={(act) => setAsked({ act, row })} />,
    },
  ];
  return (
    <div className={styles.panel}>
      <div className={styles.panelTop}>
        <Button variant="primary" onClick={() => setAsked({ act: 'add' })}>
          {t('operator.add')}
        </Button>
      </div>
      <Done words={done} onClose={() => setDone(undefined)} />
      <Loaded query={list} height="12rem">
        {(rows) => (
          <Box title={t('tab.operators')} hideTitle flush>
            <Ledger label={t('tab.operators')} columns={columns} rows={rows} rowId={({ id }) => id} />
          </Box>
        )}
      </Loaded>
      {(asked?.act === 'add' || asked?.act === 'change') && (
        <OperatorDialog row={asked.row} onInvited={invite} onDone={finish} onClose={close} />
      )}
      {asked?.row !== undefined && (asked.act === 'enable' || asked.act === 'reset') && (
        <CodeDialog row={asked.row} act={asked.act} onInvited={invite} onDone={finish} onClose={close} />
      )}
      {asked?.row !== undefined && asked.act === 'disable' && (
        <ConfirmDialog
          title={t('operator.disable.title', { name: asked.row.displayName })}
          act={t('operator.disable')}
          busyAct={t('operator.disable.busy')}
          onClose={close}
          onConfirm={async () => {
            if (asked.row === undefined) return;
            await disableOperator(asked.row.id);
            await finish(t('operator.disable.done', { name: asked.row.displayName }));
          }}
        >
          {t('operator.disable.text')}
        </ConfirmDialog>
      )}
      {invited !== undefined && (
        <OnceDialog
          title={t('invitation.title', { name: invited.displayName })}
          text={t('invitation.text', { day: formatMoment(invited.expiresAt, 'UTC').day })}
          secret={invited.url}
          onClose={() => setInvited(undefined)}
        />
      )}
    </div>
  );
}

function State({ state }: Pick<OperatorShown, 'state'>) {
  const [tone, icon] = looks[state];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </StatusPill>
  );
}

interface ActsProps {
  readonly row: OperatorShown;
  readonly onAsk: (act: Act) => void;
}

/** What can be done about another operator, as they are. */
function Acts({ row: { displayName: name, state, isSelf }, onAsk }: ActsProps) {
  if (isSelf) return null;
  const acts = state === 'disabled' ? (['enable'] as const) : (['change', 'reset', 'disable'] as const);
  return (
    <div className={styles.acts}>
      {acts.map((act) => (
        <Button
          key={act}
          size="small"
          aria-label={t(`operator.${act}.name`, { name })}
          onClick={() => onAsk(act)}
        >
          {t(`operator.${act}`)}
        </Button>
      ))}
    </div>
  );
}
