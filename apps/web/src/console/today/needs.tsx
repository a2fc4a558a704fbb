import type { Need, NeedsOfGroup, Today } from '@counterfoil/contract/operator/running/today.ts';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../operator.ts';
import { useRowKeys } from '../parts/use-row-keys.ts';
import { hasPlace } from '../shell/places.ts';
import { useKeys } from '../shell/use-keys.ts';
import { t } from './messages.ts';
import { NeedRow, useLookUp } from './need-row.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import styles from './today.module.css';
import { sumsOf } from './words.ts';

const idOf = (need: Need): string => `${need.kind} ${need.id}`;

interface NeedsProps {
  readonly today: Today;
  readonly onRetry: () => void;
}

/** What needs a person, in groups; J and K choose, Enter opens, E acts. */
export function Needs({ today, onRetry }: NeedsProps) {
  const router = useRouter();
  const all = today.groups.flatMap(({ items }) => items);
  const pathOf = ({ path }: Need) => (hasPlace(path) ? path : '/admin/today');
  const chosen = useRowKeys(all, idOf, pathOf);
  const { asked, ask } = useLookUp();
  const mayAsk = useMay('payments:write');
  const [snoozing, setSnoozing] = useState<Need>();
  useKeys({
    z: chosen && (() => setSnoozing(chosen)),
    e:
      chosen &&
      (() => {
        if (chosen.kind === 'paymentInReview' && mayAsk) ask(chosen.id);
        else void router.navigate({ to: pathOf(chosen) as never });
      }),
  });
  const now = Date.parse(today.at);
  return (
    <section className={styles.needs} aria-label={t('needs')}>
      {today.groups.map((group) => (
        <div key={group.group}>
          <GroupHead group={group} onRetry={onRetry} />
          <ul>
            {group.items.map((need) => (
              <NeedRow
                key={idOf(need)}
                need={need}
                isChosen={chosen !== undefined && idOf(chosen) === idOf(need)}
                now={now}
                isAsked={asked === need.id}
                onLookUp={ask}
                onSnooze={setSnoozing}
              />
            ))}
          </ul>
          {group.count > group.items.length && (
            <p className={styles.more}>{t('group.more', { n: group.count - group.items.length })}</p>
          )}
        </div>
      ))}
      {snoozing !== undefined && (
        <SnoozeDialog
          need={snoozing}
          onDone={() => setSnoozing(undefined)}
          onClose={() => setSnoozing(undefined)}
        />
      )}
    </section>
  );
}

function GroupHead({ group, onRetry }: { readonly group: NeedsOfGroup; readonly onRetry: () => void }) {
  const name = t(`group.${group.group}`);
  return (
    <div className={styles.groupHead}>
      <h2>{group.isKnown ? t('group.count', { group: name, n: group.count }) : name}</h2>
      {group.isKnown ? (
        <span className={styles.amount}>{sumsOf(group.sums)}</span>
      ) : (
        <span className={styles.bad}>
          {t('group.unknown')}{' '}
          <button type="button" className={styles.again} onClick={onRetry}>
            {t('retry')}
          </button>
        </span>
      )}
    </div>
  );
}
