import type {
  PaymentDetails,
  ResellerCharge,
  SavedSource,
} from '@counterfoil/contract/paying/payment-methods.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { methodName } from '../../paying/methods/method-words.ts';
import { methodQueries } from '../../paying/methods/queries.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { TickBox } from '../../ui/fields/checkbox.tsx';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { methodCalls } from './calls.ts';
import { nextDefault } from './dialogs/next-default.ts';
import { accountFailure } from './failure-words.ts';
import { t } from './messages.ts';
import styles from './payment-methods.module.css';
import type { Notice } from './use-setup.ts';

interface AutoPayProps {
  readonly details: PaymentDetails;
  readonly sources: readonly SavedSource[];
  readonly tell: (notice: Notice) => void;
}

/** Whether the reseller may charge due invoices, to which method, and who decides that. */
export function AutoPay(props: AutoPayProps) {
  const id = useId();
  const charge = useQuery(methodQueries.charge());
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{t('autoPay')}</h2>
      <div className={styles.box}>
        {charge.data ? (
          <Permission {...props} charge={charge.data} />
        ) : charge.isError ? (
          <SectionError requestId={requestIdOf(charge.error)} onRetry={() => void charge.refetch()} />
        ) : (
          <p className={styles.loading}>
            <LoadingNote />
            <Skeleton width="min(30rem, 100%)" height="1rem" />
          </p>
        )}
      </div>
    </section>
  );
}

/** The default, when it can be charged. */
const chargeable = (sources: readonly SavedSource[]): SavedSource | undefined =>
  nextDefault(sources.filter(({ isDefault }) => isDefault));

function Permission({ details, sources, tell, charge }: AutoPayProps & { readonly charge: ResellerCharge }) {
  const { companyName: company, invoiceLabelPlural } = details;
  const invoices = invoiceLabelPlural.toLocaleLowerCase();
  const method = chargeable(sources);
  const charged = method ? t('auto.on', { invoices, method: methodName(method) }) : t('auto.nothing');
  if (!charge.requireCustomerPermissionForCharging) {
    return (
      <div className={styles.auto}>
        <p className={styles.alone}>
          {t('auto.open', { company, invoices })} {charged}
        </p>
      </div>
    );
  }
  return <PermissionBox {...{ charge, method, company, invoices, charged, tell }} />;
}

interface PermissionBoxProps {
  readonly charge: ResellerCharge;
  readonly method: SavedSource | undefined;
  readonly company: string;
  readonly invoices: string;
  /** What is charged while it is on. */
  readonly charged: string;
  readonly tell: (notice: Notice) => void;
}

/** Ticked: unticking ends it at once. Not ticked: ticking asks first (payments §4). */
function PermissionBox({ charge, method, company, invoices, charged, tell }: PermissionBoxProps) {
  const id = useId();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const running = useRef(false);
  const { queryKey } = methodQueries.charge();
  const isOn = charge.allowResellerCharge;
  const set = async (isAllowed: boolean) =>
    client.setQueryData(queryKey, await methodCalls.allowCharge(isAllowed));
  const end = async () => {
    if (running.current) return;
    running.current = true;
    client.setQueryData(queryKey, { ...charge, allowResellerCharge: false });
    try {
      await set(false);
    } catch (error) {
      client.setQueryData(queryKey, charge);
      tell({ tone: 'danger', text: accountFailure(error) });
    } finally {
      running.current = false;
    }
  };
  return (
    <div className={styles.auto}>
      <TickBox
        id={id}
        checked={isOn}
        describedBy={`${id}-text`}
        onChange={(checked) => {
          if (checked) setAsking(true);
          else void end();
        }}
      />
      <label htmlFor={id}>{t('auto.allow', { company, invoices })}</label>
      <p id={`${id}-text`} role="status">
        {isOn ? charged : t('auto.off', { invoices })}
      </p>
      {isAsking && (
        <ConfirmDialog
          title={t('autoPay')}
          act={t('auto.confirm')}
          busyAct={t('auto.confirming')}
          onConfirm={async () => {
            await set(true);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        >
          <div className={styles.words}>
            <p>{charge.confirmationMessageForCharging}</p>
            <p className={styles.muted}>
              {method ? t('auto.willCharge', { method: methodName(method) }) : t('auto.nothing')}
            </p>
          </div>
        </ConfirmDialog>
      )}
    </div>
  );
}
