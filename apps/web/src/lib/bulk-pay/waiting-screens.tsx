import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { OutcomeHead, Slip } from '../../ui/slip.tsx';
import { formatMoment } from '../format.ts';
import styles from './bulk-outcome.module.css';
import { t } from './messages.ts';
import { Below, Facts, type ScreenProps, ToInvoices } from './outcome-parts.tsx';
import { amountOf, outcomeRows } from './outcome-rows.ts';

/** Working days in which banks usually confirm a debit. */
const DEBIT_WORKING_DAYS = 5;

/** The end is not known yet: what is known, what happens now, and nothing to press. */
export function ConfirmingScreen({ view, headingRef, onInvoices }: ScreenProps) {
  const { outcome, receiptTo, isOffline } = view;
  const amount = amountOf(view);
  const then = receiptTo ? t('confirming.thenReceipt', { email: receiptTo }) : t('confirming.then');
  return (
    <>
      <Slip
        top={
          <OutcomeHead tone="confirming" title={t('confirming.title')} headingRef={headingRef}>
            {amount !== undefined && <p className={styles.amount}>{amount}</p>}
            <p>{t(outcome?.reference ? 'confirming.text' : 'confirming.lost')}</p>
          </OutcomeHead>
        }
        bottom={
          <>
            <ol className={styles.steps}>
              <li>
                <Icon name="check" className={styles.good} />
                <span>
                  {t('confirming.sent')}{' '}
                  {outcome?.at && (
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
                    {t(isOffline ? 'confirming.offline' : 'confirming.usually')}
                  </span>
                </span>
              </li>
              <li className={styles.muted}>
                <span className={styles.ring} aria-hidden="true" />
                <span>{then}</span>
              </li>
            </ol>
            <Below rows={outcomeRows(view, 'fact.sentOn')} />
            <div className={styles.next}>
              <ToInvoices onInvoices={onInvoices} />
            </div>
          </>
        }
      />
      <p className={styles.foot}>{t('confirming.leave')}</p>
    </>
  );
}

/** A bank debit is on its way. */
export function SubmittedScreen({ view, headingRef, onInvoices }: ScreenProps) {
  const amount = amountOf(view);
  return (
    <Slip
      top={
        <OutcomeHead tone="waiting" title={t('submitted.title')} headingRef={headingRef}>
          {amount !== undefined && <p className={styles.amount}>{amount}</p>}
          <p>{t('submitted.text', { n: DEBIT_WORKING_DAYS })}</p>
          <p className={styles.muted}>{t('submitted.again')}</p>
        </OutcomeHead>
      }
      bottom={
        <div className={styles.acts}>
          <Facts rows={outcomeRows(view, 'fact.sentOn')} />
          <ToInvoices onInvoices={onInvoices} />
        </div>
      }
    />
  );
}

/** The payer's own step at the bank is open. */
export function ActionScreen({ view, headingRef, onContinue, onStartOver }: ScreenProps) {
  const { isLeaving, isBusy, isOffline } = view;
  const amount = amountOf(view);
  const rows = outcomeRows(view, 'fact.sentOn');
  return (
    <Slip
      top={
        <OutcomeHead
          tone={isLeaving ? 'confirming' : 'waiting'}
          title={t('action.title')}
          headingRef={headingRef}
        >
          {amount !== undefined && <p className={styles.amount}>{amount}</p>}
          <p>{t(isLeaving ? 'action.leaving' : 'action.text')}</p>
          {isOffline && <p role="alert">{t('action.failed')}</p>}
        </OutcomeHead>
      }
      bottom={
        isLeaving ? (
          <Facts rows={rows} />
        ) : (
          <>
            <div className={styles.acts}>
              <Button variant="primary" size="tall" wide busy={isBusy} onClick={onContinue}>
                {t('action.continue')}
              </Button>
              {onStartOver && (
                <Button size="tall" wide onClick={onStartOver}>
                  {t('action.startOver')}
                </Button>
              )}
            </div>
            <Below rows={rows} />
          </>
        )
      }
    />
  );
}
