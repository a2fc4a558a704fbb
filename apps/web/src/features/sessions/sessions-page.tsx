import type { MySession } from '@counterfoil/contract/people/sessions.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { DeviceIcon } from '../../ui/data/device-icon.tsx';
import { Entry, EntryList } from '../../ui/data/entry-list.tsx';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { t } from './messages.ts';
import { endOtherSessions, endSession, sessionQueries } from './queries.ts';
import { deviceIcon, deviceName, sessionFacts } from './session-words.ts';
import styles from './sessions.module.css';

/** Settings → Sessions: where I am signed in, and a way to end it. */
export default function SessionsPage() {
  const { brand } = usePortal();
  const list = useQuery(sessionQueries.list());
  useTitle(t('title'), brand.name);
  return (
    <>
      <PageHead title={t('title')} />
      <div className={styles.page}>
        <p className={styles.muted}>{t('about')}</p>
        {list.data !== undefined ? (
          <Sessions sessions={list.data} onChange={() => list.refetch()} />
        ) : list.isError ? (
          <SectionError
            level={2}
            requestId={requestIdOf(list.error)}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        ) : (
          <>
            <LoadingNote />
            <Skeleton width="100%" height="6rem" />
            <Skeleton width="100%" height="12rem" />
          </>
        )}
      </div>
    </>
  );
}

interface SessionsProps {
  readonly sessions: readonly MySession[];
  /** Some were ended. */
  readonly onChange: () => Promise<unknown>;
}

function Sessions({ sessions, onChange }: SessionsProps) {
  const { brand, isSuperUser } = usePortal();
  const [asked, setAsked] = useState<MySession | 'all'>();
  const [done, setDone] = useState<string>();
  const others = sessions.filter(({ current }) => !current);
  const entry = (session: MySession) => (
    <Entry
      key={session.id}
      icon={<DeviceIcon name={deviceIcon(session)} large />}
      title={deviceName(session)}
      mark={<Mark session={session} />}
      facts={sessionFacts(session, brand.timeZone)}
      actions={
        !session.current &&
        !isSuperUser && (
          <Button
            aria-label={t('endName', { device: deviceName(session) })}
            onClick={() => setAsked(session)}
          >
            {t('end')}
          </Button>
        )
      }
    />
  );
  const finish = async (words: string) => {
    await onChange();
    setAsked(undefined);
    setDone(words);
  };
  return (
    <>
      {done !== undefined && (
        <Outcome key={done} tone="success" onClose={() => setDone(undefined)}>
          {done}
        </Outcome>
      )}
      <section className={styles.section} aria-labelledby="sessions-here">
        <h2 id="sessions-here">{t('here.title')}</h2>
        <EntryList label={t('here.title')}>{sessions.filter(({ current }) => current).map(entry)}</EntryList>
      </section>
      <section className={styles.section} aria-labelledby="sessions-elsewhere">
        <div className={styles.head}>
          <h2 id="sessions-elsewhere">{t('elsewhere.title')}</h2>
          {others.length > 0 && !isSuperUser && (
            <Button onClick={() => setAsked('all')}>{t('endAll')}</Button>
          )}
        </div>
        {isSuperUser && <p className={styles.muted}>{t('support.note')}</p>}
        {others.length > 0 ? (
          <EntryList label={t('elsewhere.title')}>{others.map(entry)}</EntryList>
        ) : (
          <div className={styles.empty}>
            <EmptyState icon="check" title={t('elsewhere.none')}>
              {t('elsewhere.noneWhy')}
            </EmptyState>
          </div>
        )}
      </section>
      {asked === 'all' && (
        <ConfirmDialog
          title={t('endAll.title')}
          act={t('endAll')}
          busyAct={t('end.busy')}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await endOtherSessions();
            await finish(t('endAll.done'));
          }}
        >
          {t('endAll.text', { count: others.length })}
        </ConfirmDialog>
      )}
      {asked !== undefined && asked !== 'all' && (
        <ConfirmDialog
          title={t('end.title', { device: deviceName(asked) })}
          act={t('end')}
          busyAct={t('end.busy')}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await endSession(asked.id);
            await finish(t('end.done', { device: deviceName(asked) }));
          }}
        >
          {t('end.text')}
        </ConfirmDialog>
      )}
    </>
  );
}

function Mark({ session }: { readonly session: MySession }) {
  if (session.current)
    return (
      <StatusPill tone="success" icon="check">
        {t('mark.current')}
      </StatusPill>
    );
  if (session.support === null) return null;
  return (
    <StatusPill tone="info" icon="info">
      {t('mark.support')}
    </StatusPill>
  );
}
