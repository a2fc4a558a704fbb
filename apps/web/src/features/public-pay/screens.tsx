import { InvoiceStatus } from '@counterfoil/domain/paying/invoice-status.ts';
import type { PayState } from '@counterfoil/domain/paying/pay-state.ts';
import type { ComponentType, ReactNode } from 'react';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { PayOtherwise } from '../../paying/otherwise/pay-otherwise.tsx';
import { t as other } from '../../paying/otherwise/pay-otherwise-messages.ts';
import outcomeStyles from '../../paying/outcome/outcome.module.css';
import { t as shared } from '../../paying/outcome/outcome-messages.ts';
import {
  type OutcomeParts,
  type OutcomeProps,
  outcomeScreens,
} from '../../paying/outcome/outcome-screens.tsx';
import { t as common } from '../../text/common.ts';
import { formatMoney } from '../../text/format.ts';
import { SumRows } from '../../ui/data/sum-rows.tsx';
import { Button, LinkButton } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { AmountBlock } from '../../ui/layout/amount-block.tsx';
import { OutcomeHead, Slip } from '../../ui/layout/slip.tsx';
import { DueLine } from './form/invoice-summary.tsx';
import { contactsOf } from './form/pay-foot.tsx';
import { NewLink } from './link/new-link.tsx';
import { isNotOffered, isPaused } from './link/pay-readings.ts';
import { Documents } from './outcome/outcome-documents.tsx';
import { t } from './outcome/outcome-messages.ts';
import { outcomeRows } from './outcome/outcome-rows.ts';
import type { ScreenProps } from './screen-props.ts';

/** 'Try again' of a page that has nothing else to do. */
const RetryButton = ({ view, onRetry }: Pick<ScreenProps, 'view' | 'onRetry'>) => (
  <Button size="tall" wide busy={view.isBusy} onClick={onRetry}>
    <Icon name="retry" />
    {common('action.tryAgain')}
  </Button>
);

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
        <OutcomeHead tone="failed" title={shared('failed.title')} headingRef={props.headingRef}>
          <p className={outcomeStyles.strong}>{failure?.message}</p>
          <p className={outcomeStyles.muted}>
            {dead ? t(`loadFailed.${dead}`, { company }) : t('loadFailed.safe')}
          </p>
          {!dead && failure?.requestId && (
            <p className={outcomeStyles.muted}>
              {common('error.request')} <code className={outcomeStyles.id}>{failure.requestId}</code>
            </p>
          )}
        </OutcomeHead>
      }
      bottom={dead === 'expired' ? <NewLink /> : dead === undefined && <RetryButton {...props} />}
    />
  );
}

/** Where a saved method pays: the list of invoices, whoever signs in. */
const SIGN_IN = '/login?r=%2Finvoices';

/** Nothing to pay with here: what is due, and the other ways to pay it. */
function MisconfiguredScreen(props: ScreenProps) {
  const { info } = props.view;
  const { email, phone } = contactsOf(props.view);
  const signsIn = info?.signInToPay === true;
  const paused = isPaused(props.view);
  return (
    <Slip
      top={
        <OutcomeHead
          tone={signsIn ? 'locked' : 'warning'}
          title={t(signsIn ? 'notOffered.title' : 'misconfigured.title')}
          headingRef={props.headingRef}
        >
          <p>
            {isNotOffered(props.view)
              ? t(signsIn ? 'notOffered.signIn' : 'notOffered.text', { company: info?.companyName ?? '' })
              : paused
                ? other('paused')
                : t('misconfigured.otherwise')}
          </p>
          <p className={outcomeStyles.muted}>{t('misconfigured.safe')}</p>
          {!paused && !isNotOffered(props.view) && (
            <p className={outcomeStyles.muted}>{t('pay.misconfigured')}</p>
          )}
        </OutcomeHead>
      }
      bottom={
        <div className={outcomeStyles.acts}>
          {info && (
            <AmountBlock
              label={shared('failed.stillToPay')}
              amount={formatMoney(info.invoiceAmount)}
              facts={<DueLine info={info} />}
            />
          )}
          {signsIn && (
            <LinkButton variant="primary" size="tall" wide href={SIGN_IN}>
              {t('notOffered.act')}
            </LinkButton>
          )}
          {signsIn && <h2 className={outcomeStyles.strong}>{t('notOffered.orElse')}</h2>}
          {info && (
            <PayOtherwise
              numbers={[info.InvoiceNumber]}
              company={info.companyName}
              bankDetails={info.bankDetails}
              instructions={info.paymentInstructions}
              {...{ email, phone }}
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
    <p className={outcomeStyles.muted}>{shared('failed.nothing')}</p>
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

/** Refused because of a part that was paid meanwhile: which one, so that nobody takes this for a second try at it. */
function PaidMeanwhile({ view: { info, failure } }: Pick<ScreenProps, 'view'>) {
  const { attempt } = info ?? {};
  if (failure?.code !== 'payment.amountChanged' || attempt?.status !== 'succeeded') return null;
  const { day, time } = formatMoment(attempt.at);
  return <p>{t('failed.paidMeanwhile', { amount: formatMoney(attempt.amount), day, time })}</p>;
}

/** What the outcome of a payment shows by a pay link. */
function partsOf({ view, label, onRetry, onContinue, onStartOver }: ScreenProps): OutcomeParts {
  const { info, outcome, stillDue } = view;
  const left = Number(stillDue) > 0 ? stillDue : undefined;
  const amount = outcome?.amount ?? info?.total;
  const company = info?.companyName ?? runtimeConfig.brand?.companyName ?? '';
  return {
    words: {
      confirming: t('confirming.text'),
      lost: t('confirming.lost'),
      submittedAgain: t('submitted.again'),
      startOver: t('action.startOver'),
      paid:
        outcome?.amount === undefined
          ? undefined
          : shared('paid.text', { amount: formatMoney(outcome.amount), company }),
      nothing: shared('failed.nothing'),
      advice: t(info?.bank ? 'failed.nextWay' : 'failed.next'),
    },
    amount: amount === undefined ? undefined : formatMoney(amount),
    rows: (when) =>
      outcomeRows({ info, outcome, label, when, stillDue: when === 'fact.paidOn' ? left : undefined }),
    why: <PaidMeanwhile view={view} />,
    due: info && (
      <AmountBlock
        label={shared('failed.stillToPay')}
        amount={formatMoney(info.bank ? info.invoiceAmount : info.total)}
        facts={<DueLine info={info} />}
      />
    ),
    documents: <Documents {...{ info, paid: outcome, label }} />,
    onRetry,
    onPayRest: left === undefined ? undefined : onRetry,
    onContinue,
    onStartOver,
  };
}

/** A screen of a payment, as this page shows it. */
const byLink = (Screen: ComponentType<OutcomeProps>) => (props: ScreenProps) => (
  <Screen view={props.view} headingRef={props.headingRef} parts={partsOf(props)} />
);

/** What stands on the page in each state but `loading`, `form` and `submitting`, which the page draws itself. */
export const screens: Partial<Record<PayState, ComponentType<ScreenProps>>> = {
  loadFailed: LoadFailedScreen,
  misconfigured: MisconfiguredScreen,
  credited: CreditedScreen,
  paid: PaidScreen,
  notPayable: NotPayableScreen,
  requiresAction: byLink(outcomeScreens.requiresAction),
  confirming: byLink(outcomeScreens.confirming),
  submitted: byLink(outcomeScreens.submitted),
  success: byLink(outcomeScreens.success),
  failed: byLink(outcomeScreens.failed),
};
