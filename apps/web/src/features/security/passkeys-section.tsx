import type { Passkey } from '@counterfoil/contract/people/passkeys.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { hasPasskeys } from '../../lib/passkeys.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { usePortalOpened } from '../../lib/portal/use-portal-opened.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { timeAgo } from '../../lib/values/relative-time.ts';
import { DeviceIcon } from '../../ui/data/device-icon.tsx';
import { Entry, EntryList } from '../../ui/data/entry-list.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { t } from './passkey-messages.ts';
import { passkeyQueries, removePasskey } from './passkey-queries.ts';
import { ProofDialog } from './proof-dialog.tsx';
import { RenamePasskey } from './rename-passkey.tsx';
import { secondFactorQueries } from './second-factor-queries.ts';
import styles from './security.module.css';

/** Passkeys: what they are, which there are, and how to have one more or less. */
export function PasskeysSection() {
  const list = useQuery(passkeyQueries.list());
  const opened = usePortalOpened();
  return (
    <section className={styles.tile} aria-labelledby="passkeys">
      <h2 id="passkeys">{t('passkeys.title')}</h2>
      <p className={styles.muted}>{t('passkeys.about', { host: globalThis.location.hostname })}</p>
      {list.data !== undefined ? (
        <Passkeys passkeys={list.data} onChange={() => Promise.all([list.refetch(), opened()])} />
      ) : list.isError ? (
        <SectionError
          requestId={requestIdOf(list.error)}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      ) : (
        <>
          <LoadingNote />
          <Skeleton width="100%" height="6rem" />
        </>
      )}
    </section>
  );
}

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly onChange: () => Promise<unknown>;
}

function Passkeys({ passkeys, onChange }: PasskeysProps) {
  const { brand, isSuperUser } = usePortal();
  const [renamed, setRenamed] = useState<Passkey>();
  const [removed, setRemoved] = useState<Passkey>();
  const [done, setDone] = useState<string>();
  // Who signs in without a password proves who they are by a sign-in of just now; the server says so.
  const hasPassword = useQuery(secondFactorQueries.state()).data?.hasPassword ?? true;
  return (
    <>
      {done !== undefined && (
        <Outcome key={done} tone="success" onClose={() => setDone(undefined)}>
          {done}
        </Outcome>
      )}
      {passkeys.length === 0 ? (
        <p>
          <b>{t('passkeys.none')}.</b> {t('passkeys.noneWhy')}
        </p>
      ) : (
        <EntryList label={t('passkeys.title')}>
          {passkeys.map((passkey) => (
            <Entry
              key={passkey.id}
              icon={<DeviceIcon name="key" large />}
              title={passkey.name}
              facts={passkeyFacts(passkey, brand.timeZone, globalThis.location.hostname)}
              actions={
                !isSuperUser && (
                  <>
                    <Button
                      aria-label={t('rename.of', { name: passkey.name })}
                      onClick={() => setRenamed(passkey)}
                    >
                      {t('rename')}
                    </Button>
                    <Button
                      aria-label={t('remove.of', { name: passkey.name })}
                      onClick={() => setRemoved(passkey)}
                    >
                      {t('remove')}
                    </Button>
                  </>
                )
              }
            />
          ))}
        </EntryList>
      )}
      <Adding
        onStart={() => setDone(undefined)}
        onAdded={async ({ name }) => {
          await onChange();
          setDone(t('add.done', { name }));
        }}
      />
      {renamed && (
        <RenamePasskey
          passkey={renamed}
          onClose={() => setRenamed(undefined)}
          onRenamed={async () => {
            await onChange();
            setRenamed(undefined);
          }}
        />
      )}
      {removed && (
        <ProofDialog
          title={t('remove.title', { name: removed.name })}
          act={t('remove')}
          busyAct={t('remove.busy')}
          needsPassword={hasPassword}
          needsCode={false}
          mayRecover={false}
          onClose={() => setRemoved(undefined)}
          onProof={async ({ password }) => {
            await removePasskey(removed.id, hasPassword ? { password } : {});
            await onChange();
            setRemoved(undefined);
            setDone(t('remove.done', { name: removed.name }));
          }}
        >
          <p>{t('remove.text')}</p>
        </ProofDialog>
      )}
    </>
  );
}

interface AddingProps {
  readonly onStart: () => void;
  readonly onAdded: (passkey: Passkey) => Promise<void>;
}

/** The way to one more, or why there is none. */
function Adding({ onStart, onAdded }: AddingProps) {
  const { isSuperUser } = usePortal();
  if (isSuperUser) return <p className={styles.muted}>{t('passkeys.support')}</p>;
  if (!hasPasskeys()) return <p className={styles.muted}>{t('passkeys.unsupported')}</p>;
  return <AddPasskey onStart={onStart} onAdded={(passkey) => void onAdded(passkey)} />;
}

/**
 * The lines under a passkey's name.
 * @param timeZone the brand's
 * @param here the host of this page
 */
export function passkeyFacts(passkey: Passkey, timeZone: string, here: string, now?: number): string[] {
  const { createdAt, lastUsedAt, host, synced } = passkey;
  const added = t('passkey.added', formatMoment(createdAt, timeZone));
  const used =
    lastUsedAt === null
      ? t('passkey.unused')
      : t('passkey.used', { ago: timeAgo(lastUsedAt, now), ...formatMoment(lastUsedAt, timeZone) });
  return [
    used,
    synced ? `${added}, ${t('passkey.synced')}` : added,
    ...(host === here ? [] : [t('passkey.elsewhere', { host })]),
  ];
}
