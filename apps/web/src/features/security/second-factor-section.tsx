import type { SecondFactorState, Enrolment as Started } from '@counterfoil/contract/people/second-factor.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, requestIdOf } from '../../lib/api/api-error.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { usePortalOpened } from '../../lib/portal/use-portal-opened.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { DeviceIcon } from '../../ui/data/device-icon.tsx';
import { Entry, EntryList } from '../../ui/data/entry-list.tsx';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { Enrolment } from './enrolment.tsx';
import { KeptDialog } from './kept-dialog.tsx';
import { t } from './messages.ts';
import { ProofDialog } from './proof-dialog.tsx';
import { codeOf } from './proof-fields.tsx';
import { renewRecoveryCodes, secondFactorQueries, startEnrolment, turnOff } from './second-factor-queries.ts';
import styles from './security.module.css';

/** Codes of an authenticator app as a second step of the sign-in by password. */
export function SecondFactorSection() {
  const state = useQuery(secondFactorQueries.state());
  return (
    <section className={styles.tile} aria-labelledby="second-factor">
      <h2 id="second-factor">{t('factor.title')}</h2>
      <p className={styles.muted}>{t('factor.about')}</p>
      {state.data !== undefined ? (
        <SecondFactor state={state.data} onChange={() => state.refetch()} />
      ) : state.isError ? (
        <SectionError
          requestId={requestIdOf(state.error)}
          onRetry={() => void state.refetch()}
          retrying={state.isFetching}
        />
      ) : (
        <>
          <LoadingNote />
          <Skeleton width="100%" height="5rem" />
        </>
      )}
    </section>
  );
}

interface SecondFactorProps {
  readonly state: SecondFactorState;
  readonly onChange: () => Promise<unknown>;
}

type Task = { readonly is: 'enrol'; readonly started?: Started } | { readonly is: 'off' | 'codes' };

function SecondFactor({ state, onChange }: SecondFactorProps) {
  const { brand, isSuperUser } = usePortal();
  const opened = usePortalOpened();
  const [task, setTask] = useState<Task>();
  const [done, setDone] = useState<string>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [busy, setBusy] = useState(false);
  const close = () => setTask(undefined);
  const finish = async (words: string) => {
    await onChange();
    setTask(undefined);
    setCodes(undefined);
    setDone(words);
    await opened();
  };
  const enrol = async () => {
    setDone(undefined);
    if (state.isOn || state.needsPassword) return setTask({ is: 'enrol' });
    setBusy(true);
    try {
      setTask({ is: 'enrol', started: await startEnrolment({}) });
    } catch (error) {
      // The sign-in is longer ago by now: the password is asked for after all.
      if (error instanceof ApiError && error.code === 'password.wrongCurrent') {
        await onChange();
        setTask({ is: 'enrol' });
      } else reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const mayChange = !isSuperUser && state.hasPassword;
  return (
    <>
      {done !== undefined && (
        <Outcome key={done} tone="success" onClose={() => setDone(undefined)}>
          {done}
        </Outcome>
      )}
      <EntryList label={t('factor.title')}>
        <Entry
          icon={<DeviceIcon name="phone" large />}
          title={t('app.title')}
          mark={
            <StatusPill tone={state.isOn ? 'success' : 'neutral'} icon={state.isOn ? 'check' : 'minus'}>
              {t(state.isOn ? 'app.on' : 'app.off')}
            </StatusPill>
          }
          facts={[
            state.since === null ? t('app.none') : t('app.since', formatMoment(state.since, brand.timeZone)),
          ]}
          actions={
            mayChange && (
              <>
                <Button
                  variant={state.isOn ? 'secondary' : 'primary'}
                  busy={busy}
                  onClick={() => void enrol()}
                >
                  {t(state.isOn ? 'app.move' : 'app.turnOn')}
                </Button>
                {state.isOn && !state.isRequired && (
                  <Button onClick={() => setTask({ is: 'off' })}>{t('app.turnOff')}</Button>
                )}
              </>
            )
          }
        />
        {state.isOn && (
          <Entry
            icon={<Icon name="lock" large />}
            title={t('codes.title')}
            mark={
              state.recoveryCodesLeft < FEW_CODES && (
                <StatusPill tone="warning" icon="alert">
                  {t('codes.few')}
                </StatusPill>
              )
            }
            facts={[t('codes.left', { count: state.recoveryCodesLeft }), t('codes.what')]}
            actions={mayChange && <Button onClick={() => setTask({ is: 'codes' })}>{t('codes.new')}</Button>}
          />
        )}
      </EntryList>
      <Note state={state} />
      {task?.is === 'enrol' && (
        <Enrolment
          state={state}
          started={task.started}
          onDone={() => void finish(t(state.isOn ? 'done.moved' : 'done.on'))}
          onClose={close}
        />
      )}
      {task?.is === 'off' && (
        <ProofDialog
          title={t('off.title')}
          act={t('off.act')}
          busyAct={t('off.busy')}
          needsPassword
          needsCode
          mayRecover={state.recoveryCodesLeft > 0}
          onProof={async (proof) => {
            await turnOff({ password: proof.password, ...codeOf(proof) });
            await finish(t('done.off'));
          }}
          onClose={close}
        >
          <p>{t('off.text')}</p>
        </ProofDialog>
      )}
      {task?.is === 'codes' && codes === undefined && (
        <ProofDialog
          title={t('new.title')}
          act={t('new.act')}
          busyAct={t('new.busy')}
          needsPassword
          needsCode={false}
          mayRecover={false}
          onProof={async ({ password }) => setCodes((await renewRecoveryCodes({ password })).codes)}
          onClose={close}
        >
          <p>{t('new.text')}</p>
        </ProofDialog>
      )}
      {codes !== undefined && <KeptDialog codes={codes} onKept={() => void finish(t('done.codes'))} />}
    </>
  );
}

/** Below this, new recovery codes are recommended. */
const FEW_CODES = 4;

/** Why something cannot be done here. */
function Note({ state }: { readonly state: SecondFactorState }) {
  const { brand, isSuperUser } = usePortal();
  const text = isSuperUser
    ? t('factor.support')
    : !state.hasPassword
      ? t('factor.noPassword')
      : state.isOn && state.isRequired
        ? t('factor.keep', { company: brand.companyName })
        : undefined;
  return text === undefined ? null : <p className={styles.muted}>{text}</p>;
}
