import type { Ageing } from '@counterfoil/contract/statement.ts';
import { useId } from 'react';
import { formatMoney } from '../../text/format.ts';
import { Skeleton } from '../../ui/layout/skeleton.tsx';
import { t } from './messages.ts';
import styles from './statement.module.css';
import { ageBuckets } from './statement-rows.tsx';

const nothingYet: Ageing = {
  notDue: 0,
  days1To30: 0,
  days31To60: 0,
  days61To90: 0,
  over90: 0,
  total: 0,
  credit: 0,
};

interface AgeingTileProps {
  /** Undefined while it is loading. */
  readonly ageing: Ageing | undefined;
  readonly currency: string;
}

/** What is open now by how long it has been due; the bars compare the spans with each other. */
export function AgeingTile({ ageing, currency }: AgeingTileProps) {
  const title = useId();
  const money = (amount: number) =>
    ageing ? formatMoney(amount, { currency }) : <Skeleton width="4.5rem" height="1.125rem" />;
  return (
    <section className={styles.tile} aria-labelledby={title}>
      <h2 id={title}>{t('ageing.title')}</h2>
      <dl className={styles.ages}>
        {ageBuckets(ageing ?? nothingYet).map(({ id, amount, share }) => (
          <div key={id} className={styles.age}>
            <dt>{t(`ageing.${id}`)}</dt>
            <dd>
              <span className={amount === 0 ? styles.muted : undefined}>{money(amount)}</span>
              <span className={styles.bar} aria-hidden="true">
                <span style={{ inlineSize: `${share}%` }} />
              </span>
            </dd>
          </div>
        ))}
        <div className={styles.ageTotal}>
          <dt>{t('ageing.total')}</dt>
          <dd>{money(ageing?.total ?? 0)}</dd>
        </div>
        <div className={styles.ageCredit}>
          <dt>{t('ageing.credit')}</dt>
          <dd>{money(ageing?.credit ?? 0)}</dd>
        </div>
      </dl>
    </section>
  );
}
