import { formatMoment, formatMoney } from '../../lib/format.ts';
import { t as common } from '../../messages/common.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { OutcomeHead, Slip } from '../../ui/slip.tsx';
import { SumRows } from '../../ui/sum-rows.tsx';
import { t } from './messages.ts';
import { outcomeRows } from './outcome-rows.ts';
import styles from './pay.module.css';
import type { ScreenProps } from './screen-props.ts';

/** Working days in which banks usually confirm a debit. */
const DEBIT_WORKING_DAYS = 5;

/** The end is not known yet: what is known, what happens now, and nothing to press. */
export function ConfirmingScreen({ view, label, headingRef }: ScreenProps) {
  const { info, outcome, receiptTo, isOffline } = view;
  const amount = outcome?.amount ?? info?.total;
  const then = receiptTo ? t('confirming.thenReceipt', { email: receiptTo }) : t('confirming.then');
  return (
    <Slip
      top={
        <OutcomeHead tone="confirming" title={t('confirming.title')} headingRef={headingRef}>
          {amount !== undefined && <p className={styles.amount}>{formatMoney(amount)}</p>}
          <p>{outcome?.attemptId ? t('confirming.text') : t('confirming.lost')}</p>
        </OutcomeHead>
      }
      bottom={
        <>
          <ol className={styles.steps}>
            <li>
              <Icon name="check" className={styles.good} />
              <span>
                {t('confirming.sent')}{' '}
                {outcome && (
                  <span className={styles.muted}>
                    {t('confirming.at', { time: formatMoment(outcome.at).time })}
                  </span>
                )}
              </span>
            </li>
            <li>
              <Icon name="clock" className={styles.wait} />
              <span role="status">
                <strong>{t('confirming.waiting')}</strong>{' '}
                <span className={styles.muted}>
                  {isOffline ? t('confirming.offline') : t('confirming.usually')}
                </span>
              </span>
            </li>
            <li className={styles.muted}>
              <span className={styles.ring} aria-hidden="true" />
              <span>{then}</span>
            </li>
          </ol>
          <div className={styles.below}>
            <SumRows look="ruled" rows={outcomeRows({ info, outcome, label, when: 'fact.sentOn' })} />
          </div>
        </>
      }
    />
  );
}

/** A bank debit is on its way. */
export const SubmittedScreen = ({ view, label, headingRef }: ScreenProps) => (
  <Slip
    top={
      <OutcomeHead tone="waiting" title={t('submitted.title')} headingRef={headingRef}>
        {view.outcome?.amount !== undefined && (
          <p className={styles.amount}>{formatMoney(view.outcome.amount)}</p>
        )}
        <p>{t('pay.submittedText', { n: DEBIT_WORKING_DAYS })}</p>
        <p className={styles.muted}>{t('submitted.again')}</p>
      </OutcomeHead>
    }
    bottom={
      <SumRows
        look="ruled"
        rows={outcomeRows({ info: view.info, outcome: view.outcome, label, when: 'fact.sentOn' })}
      />
    }
  />
);

/** The payer's own step at the bank is open. */
export function ActionScreen({ view, label, headingRef, onContinue, onStartOver }: ScreenProps) {
  const { info, outcome, isLeaving, isBusy, isOffline } = view;
  const rows = <SumRows look="ruled" rows={outcomeRows({ info, outcome, label, when: 'fact.sentOn' })} />;
  return (
    <Slip
      top={
        <OutcomeHead
          tone={isLeaving ? 'confirming' : 'waiting'}
          title={t('action.title')}
          headingRef={headingRef}
        >
          {outcome?.amount !== undefined && <p className={styles.amount}>{formatMoney(outcome.amount)}</p>}
          <p>{isLeaving ? t('action.leaving') : t('action.text')}</p>
          {isOffline && <p role="alert">{t('action.failed')}</p>}
        </OutcomeHead>
      }
      bottom={
        isLeaving ? (
          rows
        ) : (
          <>
            <div className={styles.acts}>
              <Button variant="primary" size="tall" wide busy={isBusy} onClick={onContinue}>
                {t('action.continue')}
              </Button>
              <Button size="tall" wide onClick={onStartOver}>
                {t('action.startOver')}
              </Button>
            </div>
            <div className={styles.below}>{rows}</div>
          </>
        )
      }
    />
  );
}

/** 'Try again' of a page that has nothing else to do. */
export const RetryButton = ({ view, onRetry }: Pick<ScreenProps, 'view' | 'onRetry'>) => (
  <Button size="tall" wide busy={view.isBusy} onClick={onRetry}>
    <Icon name="retry" />
    {common('action.tryAgain')}
  </Button>
);
