import type {
  GatewayAccountDetail,
  GatewayVerification,
} from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { Box, Loaded } from '../parts/box.tsx';
import parts from '../parts/parts.module.css';
import styles from './gateways.module.css';
import { t } from './messages.ts';
import { gatewayQueries } from './queries.ts';
import { RunDialog } from './run-dialog.tsx';

type Case = GatewayVerification['cases'][number];

const looks: Readonly<
  Record<Case['is'], readonly ['success' | 'danger' | 'warning' | 'neutral' | 'outline', IconName]>
> = {
  waiting: ['outline', 'clock'],
  passed: ['success', 'check'],
  failed: ['danger', 'close'],
  unreachable: ['warning', 'alert'],
  notAvailable: ['neutral', 'minus'],
  notRun: ['neutral', 'minus'],
};

interface VerificationProps extends Pick<GatewayAccountDetail, 'id' | 'gateway' | 'keyMode'> {
  readonly mayBegin: boolean;
}

/** The last run of the cases, each as it ends, and a way to begin another. */
export function Verification({ id, gateway, keyMode, mayBegin }: VerificationProps) {
  const run = useQuery(gatewayQueries.run(id));
  const [isAsked, setAsked] = useState(false);
  const goesOn = run.data?.state === 'waiting' || run.data?.state === 'running';
  return (
    <Box title={t('run.title')} aside={run.data && <VisuallyHidden>{stateWords(run.data)}</VisuallyHidden>}>
      <p className={parts.muted}>{t('run.about')}</p>
      <Loaded query={run} height="8rem">
        {(data) => <Run run={data} />}
      </Loaded>
      {mayBegin && !goesOn && (
        <div className={styles.begin}>
          <Button onClick={() => setAsked(true)}>{t('run.begin')}</Button>
        </div>
      )}
      {isAsked && (
        <RunDialog
          id={id}
          gateway={gateway}
          keyMode={keyMode}
          onClose={() => setAsked(false)}
          onBegun={async () => {
            await run.refetch();
            setAsked(false);
          }}
        />
      )}
    </Box>
  );
}

const count = ({ cases }: GatewayVerification, is: Case['is']): number =>
  cases.filter((one) => one.is === is).length;

function stateWords(run: GatewayVerification): string {
  const all = run.cases.length;
  return t(`run.state.${run.state}`, {
    all: String(all - (run.state === 'ended' ? count(run, 'notAvailable') : 0)),
    done: String(all - count(run, 'waiting')),
    passed: String(count(run, 'passed')),
  });
}

function Run({ run }: { readonly run: GatewayVerification }) {
  const { state, cases, left, notChecked } = run;
  const done = cases.length - count(run, 'waiting');
  const isFolded = state === 'none';
  return (
    <>
      <p className={styles.sub} role="status">
        {stateWords(run)}
      </p>
      {(state === 'running' || state === 'waiting') && (
        <div className={styles.bar} aria-hidden="true">
          <span style={{ inlineSize: `${(done / Math.max(cases.length, 1)) * 100}%` }} />
        </div>
      )}
      <details open={!isFolded}>
        <summary>{t('run.shown', { all: String(cases.length) })}</summary>
        <ul aria-label={t('run.cases')}>
          {cases.map((one) => (
            <CaseLine key={one.case} one={one} isPlain={isFolded} />
          ))}
        </ul>
      </details>
      <Told title={t('run.left')} lines={left} />
      <Told title={t('run.notChecked')} lines={notChecked} />
    </>
  );
}

function CaseLine({ one, isPlain }: { readonly one: Case; readonly isPlain: boolean }) {
  const [tone, icon] = looks[one.is];
  return (
    <li className={styles.case}>
      <span>{one.what}</span>
      {!isPlain && (
        <StatusPill tone={tone} icon={icon}>
          {t(`case.${one.is}`)}
        </StatusPill>
      )}
      {one.detail !== '' && <p>{one.detail}</p>}
    </li>
  );
}

const Told = ({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) =>
  lines.length === 0 ? null : (
    <>
      <h3 className={styles.sub}>{title}</h3>
      <ul className={styles.told}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
