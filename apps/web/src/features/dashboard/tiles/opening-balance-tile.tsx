import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '../../../text/format.ts';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { Tile } from '../../../ui/layout/tile.tsx';
import styles from '../dashboard.module.css';
import { Loaded } from '../loaded.tsx';
import { t } from '../messages.ts';
import { dashboardQueries } from '../queries.ts';

const Waiting = () => (
  <div className={styles.balanceWaiting}>
    <Skeleton width="8rem" height="1.5rem" />
    <Skeleton width="5rem" />
  </div>
);

/** The brand's symbol and two decimals, 0.00 if there is none; positive is owed (decisions 3). */
export function OpeningBalanceTile() {
  const query = useQuery(dashboardQueries.openingBalance());
  return (
    <Tile title={t('opening.title')} head="plain" span={3}>
      <Loaded query={query} waiting={<Waiting />}>
        {({ balance }) => (
          <>
            <p className={styles.figure}>{formatMoney(balance)}</p>
            <p className={styles.small}>
              {t(balance > 0 ? 'opening.owed' : balance < 0 ? 'opening.credit' : 'opening.none')}
            </p>
          </>
        )}
      </Loaded>
    </Tile>
  );
}
