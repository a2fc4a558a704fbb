import type { HealthCheck } from '@counterfoil/contract/operator/running/installation.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { Box, Loaded } from '../parts/box.tsx';
import { t } from './messages.ts';
import { todayQueries } from './queries.ts';
import styles from './today.module.css';

const looks = {
  ok: ['good', 'check'],
  warning: ['warn', 'alert'],
  fault: ['bad', 'close'],
} as const satisfies Record<HealthCheck['state'], readonly [string, string]>;

interface HealthBoxProps {
  /** Leads to more of it. */
  readonly isShort?: boolean;
}

/** The installation in a few lines: each part well or not, and what was found. */
export function HealthBox({ isShort = false }: HealthBoxProps) {
  const query = useQuery(todayQueries.health);
  return (
    <Box
      title={t('health.title')}
      {...(isShort && { aside: <Link to={'/admin/jobs' as never}>{t('health.more')}</Link> })}
    >
      <Loaded query={query} height="2rem">
        {({ checks }) => <HealthChecks checks={checks} />}
      </Loaded>
    </Box>
  );
}

/** Parts of the installation with how each is. */
const HealthChecks = ({ checks }: { readonly checks: readonly HealthCheck[] }) => (
  <ul className={styles.health}>
    {checks.map(({ what, state, found }) => {
      const [tone, icon] = looks[state];
      return (
        <li key={what}>
          <span className={styles[tone]}>
            <Icon name={icon} />
            <b>{t(`health.${what}`)}</b>
            <VisuallyHidden>{t(`health.${state}`)}</VisuallyHidden>
          </span>{' '}
          <span>{found}</span>
        </li>
      );
    })}
  </ul>
);
