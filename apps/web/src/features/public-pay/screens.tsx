import { InvoiceStatus } from '@counterfoil/domain/invoice-status.ts';
import type { PublicPayState } from '@counterfoil/domain/public-pay.ts';
import type { ComponentType, ReactNode } from 'react';
import { formatMoment, formatMoney } from '../../lib/format.ts';
import { runtimeConfig } from '../../lib/runtime-config.ts';
import { t as common } from '../../messages/common.ts';
import { otherAmountText, payRestLabel } from '../../paying/other-amount.ts';
import { PayOtherwise } from '../../paying/pay-otherwise.tsx';
import { AmountBlock } from '../../ui/amount-block.tsx';
import { Button } from '../../ui/button.tsx';
import { OutcomeHead, Slip } from '../../ui/slip.tsx';
import { SumRows } from '../../ui/sum-rows.tsx';
import { DueLine } from './invoice-summary.tsx';
import { NewLink } from './new-link.tsx';
import { Documents } from './outcome-documents.tsx';
import { t } from './outcome-messages.ts';
import { outcomeRows } from './outcome-rows.ts';
import styles from './pay.module.css';
import { contactsOf } from './pay-foot.tsx';
import { isNotOffered } from './pay-readings.ts';
import type { ScreenProps } from './screen-props.ts';
import { ActionScreen, ConfirmingScreen, RetryButton, SubmittedScreen } from './waiting-screens.tsx';

const codesOfDeadLinks: Partial<Record<string, 'expired' | 'unknown'>> = {
  'payLink.expired': 'expired',
  'payLink.notFound': 'unknown',
};

/** The invoice could not be loaded: the message, what it means for the money, what to do. */
function LoadFailedScreen(props: ScreenProps) {
  const { failure } = props.view;
  const dead = codesOfDeadLinks[failure?.code ?? ''];
  const company = runtimeConfig.brand?.companyName ?? t('loadFailed.sender');
  return (
    <Slip
      top={
        <OutcomeHead tone="failed" title={t('pay.failed')} headingRef={props.headingRef}>
          <p className={styles.strong}>{failure?.message}</p>
          <p className={styles.muted}>{dead ? t(`loadFailed.${dead}`, { company }) : t('loadFailed.safe')}</p>
          {!dead && failure?.requestId && (
            <p className={styles.muted}>
              {common('error.request')} <code className={styles.id}>{failure.requestId}</code>
            </p>
          )}
        </OutcomeHead>
      }
      bottom={dead === 'expired' ? <NewLink /> : dead === undefined && <RetryButton {...props} />}
    />
  );
}

function MisconfiguredScreen(props: ScreenProps) {
  const { info } = props.view;
  const { email, phone } = contactsOf(props.view);
  const bankDetails = info?.bankDetails ?? [];
  return (
    <Slip
      top={
        <OutcomeHead tone="warning" title={t('misconfigured.title')} headingRef={props.headingRef}>
          <p>
            {isNotOffered(props.view)
              ? t('notOffered.text', { company: info?.companyName ?? '' })
              : t('misconfigured.otherwise')}
          </p>
          <p className={styles.muted}>{t('misconfigured.safe')}</p>
          {!isNotOffered(props.view) && <p className={styles.muted}>{t('pay.misconfigured')}</p>}
        </OutcomeHead>
      }
      bottom={
        <div className={styles.acts}>
          {info && (
            <AmountBlock
              label={t('failed.stillToPay')}
              amount={formatMoney(info.invoiceAmount)}
              facts={<DueLine info={info} />}
            />
          )}
          {info && (
            <PayOtherwise
              numbers={[info.InvoiceNumber]}
              company={info.companyName}
              {...{ bankDetails, email, phone }}
            />
          )}
          <Documents info={info} label={props.label} />
        </div>
      }
    />
  );
}

/** Nothing is to be paid by this link, and why. */
const NothingToPay = ({
  screen: { view, label, headingRef },
  title,
  children,
}: {
  readonly screen: ScreenProps;
  readonly title: string;
  readonly children: ReactNode;
}) => (
  <Slip
    top={
      <OutcomeHead tone="credited" title={title} headingRef={headingRef}>
        {children}
      </OutcomeHead>
    }
    bottom={
      <>
        <SumRows
          look="ruled"
          rows={outcomeRows({ info: view.info, outcome: undefined, label, when: 'fact.sentOn' })}
        />
        <Documents info={view.info} label={label} />
      </>
    }
  />
);

const CreditedScreen = (screen: ScreenProps) => (
  <NothingToPay screen={screen} title={t('credited.title')}>
    <p>{t('pay.credited')}</p>
  </NothingToPay>
);

const whyNotPayable: Readonly<Record<number, string>> = {
  [InvoiceStatus.VOID]: t('notPayable.void'),
  [InvoiceStatus.DISPUTED]: t('notPayable.disputed'),
};

const NotPayableScreen = (screen: ScreenProps) => (
  <NothingToPay screen={screen} title={t('notPayable.title')}>
    <p>{whyNotPayable[screen.view.info?.invoiceStatus ?? 0] ?? t('notPayable.other')}</p>
    <p className={styles.muted}>{t('failed.nothing')}</p>
  </NothingToPay>
);

function PaidScreen({ view, label, headingRef }: ScreenProps) {
  // Only a payment that went through belongs here; an earlier declined one says nothing about this.
  const paid = view.info?.attempt?.status === 'succeeded' ? view.outcome : undefined;
  return (
    <Slip
      top={
        <OutcomeHead tone="paid" title={t('paid.title')} headingRef={headingRef}>
          <p>{t('pay.alreadyPaid')}</p>
        </OutcomeHead>
      }
      bottom={
        <>
          <SumRows
            look="ruled"
            rows={outcomeRows({ info: view.info, outcome: paid, label, when: 'fact.paidOn' })}
          />
          <Documents {...{ info: view.info, paid, label }} />
        </>
      }
    />
  );
}

function SuccessScreen({ view, label, headingRef, onRetry }: ScreenProps) {
  const { info, outcome, receiptTo, stillDue } = view;
  const other = outcome && otherAmountText({ ...outcome, stillDue });
  const left = Number(stillDue) > 0 ? stillDue : undefined;
  const company = info?.companyName ?? runtimeConfig.brand?.companyName ?? '';
  return (
    <Slip
      top={
        <OutcomeHead tone="paid" title={t('pay.successful')} headingRef={headingRef}>
          {outcome?.amount !== undefined && (
            <p>{t('pay.youPaid', { amount: formatMoney(outcome.amount), company })}</p>
          )}
          {other && <p className={styles.strong}>{other}</p>}
          {receiptTo && <p className={styles.muted}>{t('pay.receipt', { email: receiptTo })}</p>}
        </OutcomeHead>
      }
      bottom={
        <div className={styles.acts}>
          <SumRows
            look="ruled"
            rows={outcomeRows({ info, outcome, label, when: 'fact.paidOn', stillDue: left })}
          />
          {left !== undefined && (
            <Button variant="primary" size="tall" wide busy={view.isBusy} onClick={onRetry}>
              {payRestLabel}
            </Button>
          )}
          <Documents {...{ info, paid: outcome, label }} />
        </div>
      }
    />
  );
}

/** Refused because of a part that was paid meanwhile: which one, so that nobody takes this for a second try at it. */
function PaidMeanwhile({ view: { info, failure } }: Pick<ScreenProps, 'view'>) {
  const { attempt } = info ?? {};
  if (failure?.code !== 'payment.amountChanged' || attempt?.status !== 'succeeded') return null;
  const { day, time } = formatMoment(attempt.at);
  return <p>{t('failed.paidMeanwhile', { amount: formatMoney(attempt.amount), day, time })}</p>;
}

function FailedScreen({ view, label, headingRef, onRetry }: ScreenProps) {
  const { info, outcome, failure } = view;
  const message = outcome?.message;
  return (
    <Slip
      top={
        <OutcomeHead tone="failed" title={t('pay.failed')} headingRef={headingRef}>
          <p>
            {message && <span className={styles.strong}>{asSentence(message)}</span>}{' '}
            {!message?.includes(t('failed.nothing')) && t('failed.nothing')}
          </p>
          <PaidMeanwhile view={view} />
          <p className={styles.muted}>{t(info?.bank ? 'failed.nextWay' : 'failed.next')}</p>
          {failure?.requestId && (
            <p className={styles.muted}>
              {common('error.request')} <code className={styles.id}>{failure.requestId}</code>
            </p>
          )}
        </OutcomeHead>
      }
      bottom={
        <>
          <div className={styles.acts}>
            {info && (
              <AmountBlock
                label={t('failed.stillToPay')}
                amount={formatMoney(info.bank ? info.invoiceAmount : info.total)}
                facts={<DueLine info={info} />}
              />
            )}
            <Button variant="primary" size="tall" wide busy={view.isBusy} onClick={onRetry}>
              {common('action.tryAgain')}
            </Button>
          </div>
          <div className={styles.below}>
            <SumRows look="ruled" rows={outcomeRows({ info, outcome, label, when: 'fact.triedOn' })} />
          </div>
        </>
      }
    />
  );
}

/** A message followed by another sentence needs its full stop; the provider's often has none. */
const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** What stands on the page in each state but `loading`, `form` and `submitting`, which the page draws itself. */
export const screens: Partial<Record<PublicPayState, ComponentType<ScreenProps>>> = {
  loadFailed: LoadFailedScreen,
  misconfigured: MisconfiguredScreen,
  credited: CreditedScreen,
  paid: PaidScreen,
  notPayable: NotPayableScreen,
  requiresAction: ActionScreen,
  confirming: ConfirmingScreen,
  submitted: SubmittedScreen,
  success: SuccessScreen,
  failed: FailedScreen,
};
