import type {
  OperatorInvited,
  OperatorShown,
} from '@counterfoil/contract/operator/access/operator-people.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../lib/values/moment.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Box, Loaded } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import { OnceDialog } from '../parts/once-dialog.tsx';
import parts from '../parts/parts.module.css';
import { useWhose } from './fields.tsx';
import { t } from './messages.ts';
import { CodeDialog, OperatorDialog } from './operator-dialogs.tsx';
import styles from './people.module.css';
import { disableOperator, peopleQueries, removeOperator, withdrawInvitation } from './queries.ts';

type Act = keyof typeof confirmed | 'add' | 'change' | 'enable' | 'reset' | 'invite';

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

/** What is asked about once more before it is done, and needs no code: it shuts out. */
const confirmed = {
  disable: disableOperator,
  withdraw: withdrawInvitation,
  remove: removeOperator,
} as const;
const isConfirmed = (act: Act): act is keyof typeof confirmed => Object.hasOwn(confirmed, act);

/** Who may sign in to the console, and what owners do about them. */
export function Operators() {
  const list = useQuery(peopleQueries.operators());
  const client = useQueryClient();
  const whose = useWhose();
  const [asked, setAsked] = useState<Asked>();
  const [done, setDone] = useState<string>();
  const [invited, setInvited] = useState<OperatorInvited & { readonly url: string }>();
  const finish = async (words: string | undefined) => {
    await client.invalidateQueries({ queryKey: ['people', 'operators'] });
    setAsked(undefined);
    setDone(words);
  };
  const invite = async (made: OperatorInvited) => {
    if (made.url === null) return finish(t('invitation.mailed', { email: made.email }));
    setInvited({ ...made, url: made.url });
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
    { id: 'state', label: t('column.state'), kind: 'whole', cell: (row) => <State row={row} /> },
    {
      id: 'used',
      label: t('column.used'),
      kind: 'whole',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('never') : formatMoment(lastUsedAt, 'UTC').day),
    },
    {
      id: 'acts',
      label: t('column.acts'),
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
      {asked?.row !== undefined &&
        (asked.act === 'enable' || asked.act === 'reset' || asked.act === 'invite') && (
          <CodeDialog row={asked.row} act={asked.act} onInvited={invite} onDone={finish} onClose={close} />
        )}
      {asked?.row !== undefined && isConfirmed(asked.act) && (
        <ConfirmAct row={asked.row} act={asked.act} onDone={finish} onClose={close} />
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

interface ConfirmActProps {
  readonly row: OperatorShown;
  readonly act: keyof typeof confirmed;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

function ConfirmAct({ row: { id, displayName: name }, act, onDone, onClose }: ConfirmActProps) {
  return (
    <ConfirmDialog
      title={t(`operator.${act}.title`, { name })}
      act={t(`operator.${act}`)}
      busyAct={t(`operator.${act}.busy`)}
      onClose={onClose}
      onConfirm={async () => {
        await confirmed[act](id);
        await onDone(t(`operator.${act}.done`, { name }));
      }}
    >
      {t(`operator.${act}.text`)}
    </ConfirmDialog>
  );
}

function State({ row: { state, invitationMail: mail } }: { readonly row: OperatorShown }) {
  const [tone, icon] = looks[state];
  return (
    <>
      <StatusPill tone={tone} icon={icon}>
        {t(`state.${state}`)}
      </StatusPill>
      {mail !== null && (
        <span className={parts.more}>{t(`mail.${mail.state}`, { problem: mail.problem ?? '' })}</span>
      )}
    </>
  );
}

interface ActsProps {
  readonly row: OperatorShown;
  readonly onAsk: (act: Act) => void;
}

const acts = {
  active: ['change', 'reset', 'disable'],
  invited: ['change', 'invite', 'withdraw'],
  noWayIn: ['change', 'invite', 'remove'],
  disabled: ['enable', 'remove'],
} as const;

/** What can be done about another operator, as they are. */
function Acts({ row: { displayName: name, state, isSelf }, onAsk }: ActsProps) {
  if (isSelf) return null;
  return (
    <div className={styles.acts}>
      {acts[state].map((act) => (
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
