import type { Need } from '@counterfoil/contract/operator/running/today.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { formatMoney } from '../../text/format.ts';
import { Button, buttonClass } from '../../ui/fields/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { useMay } from '../operator.ts';
import { lookUp } from '../payments/queries.ts';
import { hasPlace } from '../shell/places.ts';
import { t } from './messages.ts';
import styles from './today.module.css';
import { actOf, ageOfNeed, whatOf, whyOf } from './words.ts';

const looks: Readonly<Record<Need['kind'], readonly [tone: 'warn' | 'bad', icon: IconName]>> = {
  paymentInReview: ['warn', 'alert'],
  paymentLost: ['bad', 'alert'],
  refundInReview: ['warn', 'alert'],
  refundWaiting: ['warn', 'clock'],
  bankEntrySuggested: ['warn', 'bank'],
  quarantinedRows: ['warn', 'file'],
  mailsRefused: ['bad', 'close'],
  mailsFailing: ['warn', 'clock'],
  eventsGivenUp: ['bad', 'alert'],
  eventsFailing: ['warn', 'clock'],
  endpointStopped: ['bad', 'alert'],
  endpointFailing: ['warn', 'clock'],
  keyExpires: ['warn', 'lock'],
  keyExpired: ['bad', 'lock'],
  gatewayRefusesKeys: ['bad', 'bank'],
  gatewayPaused: ['warn', 'bank'],
  jobsFailing: ['bad', 'retry'],
  roundFailing: ['bad', 'retry'],
};

/** Asks a gateway about a payment from the list; another press while it is asked does nothing. */
export function useLookUp(): { readonly asked: string | undefined; readonly ask: (id: string) => void } {
  const client = useQueryClient();
  const [asked, setAsked] = useState<string>();
  const ask = async (id: string) => {
    if (asked !== undefined) return;
    setAsked(id);
    try {
      await lookUp(id);
      await client.invalidateQueries({ queryKey: ['today'] });
    } catch (error) {
      reportFailure(error);
    } finally {
      setAsked(undefined);
    }
  };
  return { asked, ask: (id) => void ask(id) };
}

interface NeedRowProps {
  readonly need: Need;
  readonly isChosen: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isAsked: boolean;
  readonly onLookUp: (id: string) => void;
  readonly onSnooze: (need: Need) => void;
}

/** One thing that needs a person: what, why, how much, since when, and its act. */
export function NeedRow({ need, isChosen, now, isAsked, onLookUp, onSnooze }: NeedRowProps) {
  const mayAsk = useMay('payments:write') && need.kind === 'paymentInReview';
  // Some things are seen to on the server only.
  const isSeenTo = hasPlace(need.path);
  const [tone, icon] = looks[need.kind];
  const why = whyOf(need);
  return (
    <li className={isChosen ? styles.chosen : undefined} data-chosen={isChosen || undefined}>
      <span className={styles[tone]}>
        <Icon name={icon} />
      </span>
      <div className={styles.what}>
        {isSeenTo ? (
          <Link to={need.path as never} dir="auto">
            {whatOf(need)}
          </Link>
        ) : (
          <b dir="auto">{whatOf(need)}</b>
        )}
        {why !== null && <p>{why}</p>}
      </div>
      <span className={styles.amount}>
        {need.amount !== null && formatMoney(need.amount, { currency: need.currency ?? undefined })}
      </span>
      <span className={styles.age}>{ageOfNeed(need, now)}</span>
      <span className={styles.rowActs}>
        <Button
          size="small"
          variant="quiet"
          aria-label={t('snooze.of', { what: whatOf(need) })}
          onClick={() => onSnooze(need)}
        >
          {t('snooze')}
        </Button>
        {isSeenTo && mayAsk && (
          <Button
            size="small"
            variant={isChosen ? 'primary' : 'secondary'}
            busy={isAsked}
            busyLabel={t('act.lookUp.busy')}
            onClick={() => onLookUp(need.id)}
          >
            {t('act.lookUp')}
          </Button>
        )}
        {isSeenTo && !mayAsk && (
          <Link
            to={need.path as never}
            className={buttonClass({ size: 'small', variant: isChosen ? 'primary' : 'secondary' })}
          >
            {actOf(need)}
          </Link>
        )}
      </span>
    </li>
  );
}
