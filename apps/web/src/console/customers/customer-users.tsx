import type { CustomerUser } from '@counterfoil/contract/operator/admin-customers.ts';
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
import { customerQueries, removeUser, sendInvitationAgain } from './queries.ts';

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
  const [removing, setRemoving] = useState<CustomerUser>();
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
                <>
                  {user.isActive && !user.hasPassword && (
                    <SendAgain user={user} customerId={customerId} onDone={onDone} />
                  )}
                  <Button
                    size="small"
                    aria-label={t('user.remove.name', { name: user.displayName })}
                    onClick={() => setRemoving(user)}
                  >
                    {t('user.remove')}
                  </Button>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
      {removing !== undefined && (
        <ConfirmDialog
          title={t('user.remove.title', { name: removing.displayName })}
          act={t('user.remove')}
          busyAct={t('user.remove.busy')}
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await removeUser(customerId, removing.email);
            await onDone(t('user.remove.done', { name: removing.displayName }));
            setRemoving(undefined);
          }}
        >
          {t('user.remove.text', { email: removing.email })}
        </ConfirmDialog>
      )}
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

interface SendAgainProps extends CustomerUsersProps {
  readonly user: CustomerUser;
}

function SendAgain({ user, customerId, onDone }: SendAgainProps) {
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await sendInvitationAgain(customerId, user.email);
      await onDone(t('user.again.done', { name: user.displayName }));
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
      busyLabel={t('user.again.busy')}
      aria-label={t('user.again.name', { name: user.displayName })}
      onClick={() => void send()}
    >
      {t('user.again')}
    </Button>
  );
}
