import type { Today } from '@counterfoil/contract/operator/running/today.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useOperator } from '../operator.ts';
import { Failed } from '../parts/failed.tsx';
import { KeyOf } from '../parts/key.tsx';
import { PageTop } from '../parts/page-top.tsx';
import { consoleName } from '../shell/messages.ts';
import { HealthBox } from './health-box.tsx';
import { t } from './messages.ts';
import { MoneyBox } from './money-box.tsx';
import { Needs } from './needs.tsx';
import { endSnoozes, todayQueries } from './queries.ts';
import styles from './today.module.css';
import { ageOf, sumsOf } from './words.ts';

/** What needs a person now, the money of the day, and how the installation is. */
export default function TodayPage() {
  const query = useQuery(todayQueries.needs);
  const { resellerId } = useOperator();
  useTitle(t('title'), consoleName);
  return (
    <>
      <PageTop
        title={titleOf(query.data)}
        facts={query.data === undefined ? [] : factsOf(query.data)}
        acts={(query.data?.count ?? 0) > 0 && <KeysHint />}
      />
      <NeedsPart query={query} />
      {(query.data?.snoozed ?? 0) > 0 && <Snoozed count={query.data?.snoozed ?? 0} />}
      <MoneyBox />
      {/* The health of the whole is told to operators of the whole. */}
      {resellerId === null && <HealthBox isShort />}
    </>
  );
}

const titleOf = (today: Today | undefined): string => {
  if (today === undefined) return t('title');
  return today.groups.length === 0 ? t('title.none') : t('title.count', { n: today.count });
};

function factsOf({ at, sums, groups }: Today): readonly string[] {
  const oldest = groups
    .filter(({ group }) => group !== 'keys')
    .flatMap(({ oldestAt }) => (oldestAt === null ? [] : [Date.parse(oldestAt)]))
    .sort((a, b) => a - b)[0];
  const { time } = formatMoment(at, 'UTC');
  return [
    ...(sums.length === 0 ? [] : [t('waits', { sums: sumsOf(sums) })]),
    ...(oldest === undefined ? [] : [t('oldest', { age: ageOf(Date.parse(at) - oldest) })]),
    t('lookedAt', { time }),
  ];
}

const KeysHint = () => (
  <p className={styles.keys}>
    <KeyOf>J</KeyOf> <KeyOf>K</KeyOf> {t('keys.move')} <KeyOf>↵</KeyOf> {t('keys.open')} <KeyOf>E</KeyOf>{' '}
    {t('keys.act')} <KeyOf>Z</KeyOf> {t('keys.snooze')}
  </p>
);

/** That something was put off, and the way to see it again. */
function Snoozed({ count }: { readonly count: number }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const show = async () => {
    setBusy(true);
    try {
      await endSnoozes();
      await client.invalidateQueries({ queryKey: ['today'] });
    } catch (error) {
      reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <p className={styles.snoozed}>
      {t('snoozed.count', { n: count })}
      <Button size="small" busy={busy} busyLabel={t('snoozed.end.busy')} onClick={() => void show()}>
        {t('snoozed.end')}
      </Button>
    </p>
  );
}

type NeedsQuery = ReturnType<typeof useQuery<Today>>;

function NeedsPart({ query }: { readonly query: NeedsQuery }) {
  const again = () => void query.refetch();
  if (query.data === undefined && query.isError) return <Failed query={query} level={2} />;
  if (query.data === undefined)
    return (
      <>
        <LoadingNote />
        <Skeleton width="100%" height="9rem" />
      </>
    );
  if (query.data.groups.length === 0)
    return (
      <p className={styles.snoozed}>
        <Icon name="check" /> {t('noneWhy')}
      </p>
    );
  return <Needs today={query.data} onRetry={again} />;
}
