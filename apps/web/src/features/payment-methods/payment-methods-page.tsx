import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import type { PaymentDetails, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { useCallback, useState } from 'react';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { canTake } from '../../paying/entry/use-entry.ts';
import { methodTitle } from '../../paying/methods/method-words.ts';
import { OtherWayHere } from '../../paying/otherwise/other-way.tsx';
import { t as words } from '../../paying/otherwise/pay-otherwise-messages.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { Spinner } from '../../ui/overlays/spinner.tsx';
import { AutoPay } from './auto-pay.tsx';
import { methodCalls } from './calls.ts';
import { leaveTo } from './dialogs/leave-to.ts';
import { MethodDialog, type OpenDialog } from './dialogs/method-dialog.tsx';
import { defaultFailure } from './failure-words.ts';
import { t } from './messages.ts';
import { MethodList } from './method-list.tsx';
import type { RowActs } from './method-row.tsx';
import styles from './payment-methods.module.css';
import { useMethods } from './use-methods.ts';
import { type Notice, type OpenSetup, useSetup } from './use-setup.ts';

/** Payment methods and Auto-Pay (specification, payments §2). */
export default function PaymentMethodsPage() {
  const { brand } = usePortal();
  useTitle(t('title'), brand.name);
  const methods = useMethods();
  const { details, error, refresh } = methods;
  const [notice, setNotice] = useState<Notice & { readonly at: number }>();
  const tell = useCallback((next: Notice) => setNotice((last) => ({ ...next, at: (last?.at ?? 0) + 1 })), []);
  const setup = useSetup({ tell, refresh });
  return (
    <>
      {notice && (
        <Outcome key={notice.at} tone={notice.tone} onClose={() => setNotice(undefined)}>
          {notice.text}
        </Outcome>
      )}
      {setup.open && <SetupBanner open={setup.open} onAsk={setup.follow} />}
      <PageHead title={t('title')} />
      {error ? (
        <div className={styles.box}>
          <SectionError level={2} requestId={error.requestId} onRetry={error.retry}>
            {t('failed')}
          </SectionError>
        </div>
      ) : details && details.card === null && details.bank === null ? (
        <div className={styles.box}>
          <EmptyState level={2} icon="card" title={t('none.gateway')}>
            {t('none.gatewayWhy', { company: details.companyName })}
          </EmptyState>
        </div>
      ) : (
        <Lists methods={methods} details={details} tell={tell} take={setup.take} />
      )}
    </>
  );
}

interface ListsProps {
  readonly methods: ReturnType<typeof useMethods>;
  readonly details: PaymentDetails | undefined;
  readonly tell: (notice: Notice) => void;
  readonly take: ReturnType<typeof useSetup>['take'];
}

/** Cards, bank accounts, Auto-Pay; and the modal that is open. */
function Lists({ methods: { cards, accounts, refresh }, details, tell, take }: ListsProps) {
  const [dialog, setDialog] = useState<OpenDialog>();
  const [busy, setBusy] = useState<string>();
  const makeDefault = async (source: SavedSource) => {
    if (source.isExpired) return tell({ tone: 'danger', text: t('default.expired') });
    if (!details?.paths || busy !== undefined) return;
    setBusy(source.id);
    try {
      await methodCalls.setDefault(details.paths, source.id);
      await refresh();
      tell({ tone: 'success', text: t('default.done', { method: methodTitle(source) }) });
    } catch (error) {
      tell({ tone: 'danger', text: defaultFailure(error) });
    } finally {
      setBusy(undefined);
    }
  };
  const actsOf = (edit: readonly string[] | undefined, needs: readonly string[] = []): RowActs => ({
    busy,
    onDefault: (source) => void makeDefault(source),
    onEdit: edit?.length ? (source) => setDialog({ is: 'edit', source, edit, needs }) : undefined,
    onRemove: (source) => setDialog({ is: 'remove', source }),
    onVerify: (source) => setDialog({ is: 'verify', source }),
  });
  const addButton = (is: 'addCard' | 'addBank', word: string) => (
    <Button onClick={() => setDialog({ is })}>
      <Icon name="plus" />
      {word}
    </Button>
  );
  const isPaused = details?.paymentsPaused === true;
  // Nothing is typed that cannot be saved. A pause stops payments only.
  const isStuck = details?.apiStatus === false && !isPaused;
  const canAdd = (entry: EntryConfig | undefined) => !isStuck && entry !== undefined && canTake(entry);
  // The first list stands for all until everything has come: what is below it would move with its height.
  const isWaiting = details === undefined || cards === undefined || accounts === undefined;
  const hasBank = !isWaiting && (details.bank !== null || accounts.length > 0);
  return (
    <>
      {(isStuck || isPaused) && <NoGateway why={isPaused ? words('paused') : t('misconfigured')} />}
      {details?.card !== null && (
        <MethodList
          title={t('cards')}
          add={canAdd(details?.card?.entry) && addButton('addCard', t('add.card'))}
          methods={isWaiting ? undefined : cards}
          none={{ title: t('none.cards'), why: isStuck ? '' : t('none.cardsWhy'), icon: 'card' }}
          acts={actsOf(details?.card?.edit, details?.card?.editNeeds)}
        />
      )}
      {hasBank && (
        <MethodList
          title={details?.bank?.title ?? t('bank.list')}
          add={canAdd(details?.bank?.entry) && addButton('addBank', t('add.bank'))}
          methods={accounts}
          none={{ title: t('none.bank'), why: isStuck ? '' : t('none.bankWhy'), icon: 'bank' }}
          acts={actsOf(details?.bank?.edit)}
        />
      )}
      {!isWaiting && <AutoPay details={details} sources={[...cards, ...accounts]} tell={tell} />}
      {!isWaiting && details.paymentTypeDisclaimer && (
        <p className={styles.note}>{details.paymentTypeDisclaimer}</p>
      )}
      {details && dialog && (
        <MethodDialog
          dialog={dialog}
          details={details}
          sources={[...(cards ?? []), ...(accounts ?? [])]}
          {...{ tell, take, refresh }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

/** The gateway charges nothing at the moment: what still can be done. */
function NoGateway({ why }: { readonly why: string }) {
  return (
    <>
      <Banner tone="warning">{why}</Banner>
      <div className={styles.otherwise}>
        <OtherWayHere numbers={[]} />
      </div>
    </>
  );
}

interface SetupBannerProps {
  readonly open: OpenSetup;
  readonly onAsk: (reqUid: string) => void;
}

/** A setup that is not at its end. */
function SetupBanner({ open, onAsk }: SetupBannerProps) {
  const button =
    open.is === 'unknown' ? (
      <Button onClick={() => onAsk(open.reqUid)}>{t('saved.askAgain')}</Button>
    ) : open.is === 'action' ? (
      <Button onClick={() => void leaveTo(open.url)}>{t('saved.continue')}</Button>
    ) : (
      <Spinner />
    );
  return (
    <Banner tone={open.is === 'confirming' ? 'info' : 'warning'}>
      <span className={styles.banner}>
        <span>{t(open.is === 'confirming' ? 'saved.confirming' : `saved.${open.is}`)}</span>
        {button}
      </span>
    </Banner>
  );
}
