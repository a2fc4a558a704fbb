import type { CustomerUser } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { useMay } from '../operator.ts';
import { Box, Loaded, Nothing } from '../parts/box.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import {
  customerQueries,
  mailPasswordReset,
  removeUser,
  sendInvitationAgain,
  setUserActive,
} from './queries.ts';

interface CustomerUsersProps {
  readonly customerId: string;
  /** Something was done; the words say what. */
  readonly onDone: (words: string) => Promise<void>;
}

/** Who signs in for the customer. */
export function CustomerUsers({ customerId, onDone }: CustomerUsersProps) {
  const users = useQuery(customerQueries.users(customerId));
  return (
    <Box title={t('users.title')} aside={users.data?.length}>
      <Loaded query={users}>
        {(data) => <UserLines users={data} customerId={customerId} onDone={onDone} />}
      </Loaded>
    </Box>
  );
}

function UserLines({
  users,
  customerId,
  onDone,
}: CustomerUsersProps & { readonly users: readonly CustomerUser[] }) {
  const mayChange = useMay('users:write');
  const [asked, setAsked] = useState<Asked>();
  if (users.length === 0) return <Nothing>{t('users.none')}</Nothing>;
  return (
    <>
      <ul className={parts.lines} aria-label={t('users.title')}>
        {users.map((user) => (
          <li key={user.id}>
            <div className={parts.lineText}>
              <b className={parts.strong} dir="auto">
                {user.displayName}
              </b>
              <p>{user.email}</p>
            </div>
            <div className={parts.lineEnd}>
              <UserState user={user} />
              {mayChange && (
                <UserActs
                  user={user}
                  customerId={customerId}
                  onDone={onDone}
                  onAsk={(act) => setAsked({ user, act })}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <ConfirmDialog
          title={t(`user.${asked.act}.title`, { name: asked.user.displayName })}
          act={t(`user.${asked.act}`)}
          busyAct={t(`user.${asked.act}.busy`)}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            const { email, displayName: name } = asked.user;
            if (asked.act === 'remove') await removeUser(customerId, email);
            else await setUserActive(customerId, email, false);
            await onDone(t(`user.${asked.act}.done`, { name }));
            setAsked(undefined);
          }}
        >
          {t(`user.${asked.act}.text`, { email: asked.user.email })}
        </ConfirmDialog>
      )}
    </>
  );
}

/** What is asked about once more before it is done. */
interface Asked {
  readonly user: CustomerUser;
  readonly act: 'remove' | 'disable';
}

interface UserActsProps extends CustomerUsersProps {
  readonly user: CustomerUser;
  readonly onAsk: (act: Asked['act']) => void;
}

/** What can be done about a user, as they are. */
function UserActs({ user, customerId, onDone, onAsk }: UserActsProps) {
  const { email, displayName: name, isActive, hasPassword } = user;
  const about = { user, customerId, onDone };
  return (
    <>
      {isActive && !hasPassword && (
        <UserAct {...about} act="again" onAct={() => sendInvitationAgain(customerId, email)} />
      )}
      {isActive && hasPassword && (
        <UserAct {...about} act="reset" onAct={() => mailPasswordReset(customerId, email)} />
      )}
      {isActive ? (
        <Button size="small" aria-label={t('user.disable.name', { name })} onClick={() => onAsk('disable')}>
          {t('user.disable')}
        </Button>
      ) : (
        <UserAct {...about} act="enable" onAct={() => setUserActive(customerId, email, true)} />
      )}
      <Button size="small" aria-label={t('user.remove.name', { name })} onClick={() => onAsk('remove')}>
        {t('user.remove')}
      </Button>
    </>
  );
}

function UserState({ user: { isActive, hasPassword } }: { readonly user: CustomerUser }) {
  if (!isActive)
    return (
      <StatusPill tone="warning" icon="lock">
        {t('user.disabled')}
      </StatusPill>
    );
  return hasPassword ? (
    <StatusPill tone="success" icon="check">
      {t('user.active')}
    </StatusPill>
  ) : (
    <StatusPill tone="info" icon="clock">
      {t('user.invited')}
    </StatusPill>
  );
}

interface UserActProps extends CustomerUsersProps {
  readonly user: CustomerUser;
  readonly act: 'again' | 'reset' | 'enable';
  readonly onAct: () => Promise<unknown>;
}

/** A button that does one thing about a user at once. */
function UserAct({ user: { displayName: name }, act, onAct, onDone }: UserActProps) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await onAct();
      await onDone(t(`user.${act}.done`, { name }));
    } catch (error) {
      reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="small"
      busy={busy}
      busyLabel={t(`user.${act}.busy`)}
      aria-label={t(`user.${act}.name`, { name })}
      onClick={() => void run()}
    >
      {t(`user.${act}`)}
    </Button>
  );
}
