import type { AdminPayment, StoryEntry } from '@counterfoil/contract/operator/paying/admin-payments.ts';
import { Link } from '@tanstack/react-router';
import { formatMoment } from '../../lib/values/moment.ts';
import { formatMoney } from '../../text/format.ts';
import { t } from './messages.ts';
import styles from './payments.module.css';

const causes = ['response', 'redirect', 'webhook', 'reconciler', 'close', 'gateway', 'operator'] as const;

const reversals = {
  refund: 'story.refunded',
  void: 'story.void',
  lateFailure: 'story.lateFailure',
  chargeback: 'story.chargeback',
  chargebackWon: 'story.chargebackWon',
  resubmitted: 'story.resubmitted',
} as const;

/** Members of what is kept of an answer, in words. */
const members = {
  remote: 'story.said.remote',
  id: 'story.said.remote',
  minor: 'story.said.minor',
  code: 'story.said.code',
  class: 'story.said.class',
  why: 'story.said.why',
  evidence: 'story.said.why',
  because: 'story.said.why',
  detail: 'story.said.detail',
  taken: 'story.said.taken',
  by: 'story.said.by',
  note: 'story.said.note',
} as const;

const memberWords = (name: string): string =>
  Object.hasOwn(members, name) ? t(members[name as keyof typeof members]) : name;

const stateWords = (state: string): string => t(`state.${state as AdminPayment['state']}`);

/** An amount, and what of it is fee. */
function moneyWords({ amount, fee }: StoryEntry, currency: string): string {
  if (amount === null) return '';
  const shown = formatMoney(amount, { currency });
  return fee === null || Number(fee) === 0
    ? shown
    : t('story.ofWhichFee', { amount: shown, fee: formatMoney(fee, { currency }) });
}

function words(entry: StoryEntry, currency: string): string {
  const { what, from, to } = entry;
  const money = moneyWords(entry, currency);
  if (what === 'refund') return t('story.refund', { amount: money, state: stateWords(to) });
  if (what === 'reversal')
    return Object.hasOwn(reversals, to)
      ? t(reversals[to as keyof typeof reversals], { amount: money })
      : t('story.reversal', { kind: to, amount: money });
  return from === null ? t('story.begun') : t('story.state', { from: stateWords(from), to: stateWords(to) });
}

interface StoryProps {
  readonly entries: readonly StoryEntry[];
  readonly currency: string;
}

/** What became of a payment, the oldest first: our words, below them the gateway's own. */
export const Story = ({ entries, currency }: StoryProps) => (
  <ol className={styles.story}>
    {entries.map((entry, at) => {
      const { day, time } = formatMoment(entry.at, 'UTC');
      const cause = causes.find((one) => one === entry.cause);
      // `is` is the state once more.
      const said = Object.entries(entry.evidence).filter(([name]) => name !== 'is');
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are never taken out or put in between
        <li key={at}>
          <time dateTime={entry.at}>
            {day} {time}
          </time>
          <div>
            <b>{words(entry, currency)}</b>
            {cause !== undefined && <span> {t(`story.cause.${cause}`)}</span>}
            {entry.paymentId !== null && (
              <>
                {' '}
                <Link to={`/admin/payments/${entry.paymentId}` as never}>{t('story.openRefund')}</Link>
              </>
            )}
            {said.length > 0 && (
              <dl className={styles.said}>
                {said.map(([name, value]) => (
                  <div key={name}>
                    <dt>{memberWords(name)}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            )}
          </div>
        </li>
      );
    })}
  </ol>
);
