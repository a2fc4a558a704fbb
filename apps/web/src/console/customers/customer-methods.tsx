import type {
  CustomerAutoPay,
  CustomerMethod,
} from '@counterfoil/contract/operator/customers/customer-methods.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../lib/values/moment.ts';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { formatDay, formatMoney } from '../../text/format.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { useGatewayNames } from '../gateways/gateway-name.tsx';
import { useMay } from '../operator.ts';
import { Box, Loaded, Nothing } from '../parts/box.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import { customerQueries, endAutoPay, removeMethod } from './queries.ts';

interface AboutCustomer {
  readonly customerId: string;
  /** Something was done; the words say what. */
  readonly onDone: (words: string) => Promise<void>;
}

const nameOf = ({ kind, brand, last4 }: CustomerMethod): string =>
  t('method.name', { kind: brand ?? t(`method.kind.${kind}`), last4: last4 ?? '' });

/** Saved cards and bank accounts; each can be ended for a reason. */
export function PaymentMethods({ customerId, onDone }: AboutCustomer) {
  const methods = useQuery(customerQueries.methods(customerId));
  const nameOfGateway = useGatewayNames();
  const mayEnd = useMay('payments:write');
  const [asked, setAsked] = useState<CustomerMethod>();
  return (
    <Box title={t('methods.title')}>
      <Loaded query={methods}>
        {(all) =>
          all.length === 0 ? (
            <Nothing>{t('methods.none')}</Nothing>
          ) : (
            <ul className={parts.lines} aria-label={t('methods.title')}>
              {all.map((method) => (
                <li key={method.id}>
                  <div className={parts.lineText}>
                    <b className={parts.strong}>{nameOf(method)}</b>
                    <p>
                      {[method.expires, method.mandate, nameOfGateway(method.gateway)]
                        .filter(Boolean)
                        .join(', ')}
                    </p>
                  </div>
                  <div className={parts.lineEnd}>
                    <MethodState method={method} />
                    {mayEnd && (
                      <Button
                        size="small"
                        aria-label={t('method.remove.name', { name: nameOf(method) })}
                        onClick={() => setAsked(method)}
                      >
                        {t('method.remove')}
                      </Button>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {asked !== undefined && (
        <EndDialog
          title={t('method.remove.title', { name: nameOf(asked) })}
          text={t('method.remove.text')}
          act={t('method.remove')}
          onClose={() => setAsked(undefined)}
          onEnd={async (reason) => {
            await removeMethod(customerId, asked.id, reason);
            setAsked(undefined);
            await onDone(t('method.remove.done', { name: nameOf(asked) }));
          }}
        />
      )}
    </Box>
  );
}

function MethodState({ method: { status, isDefault } }: { readonly method: CustomerMethod }) {
  if (status === 'ready')
    return isDefault ? (
      <StatusPill tone="success" icon="check">
        {t('method.default')}
      </StatusPill>
    ) : (
      <StatusPill tone="neutral" icon="check">
        {t('method.ready')}
      </StatusPill>
    );
  return (
    <StatusPill tone="warning" icon={status === 'pending' ? 'clock' : 'alert'}>
      {t(`method.${status}`)}
    </StatusPill>
  );
}

/** Whether due invoices are charged by themselves, what comes next, and what was agreed to. */
export function AutoPay({ customerId, onDone }: AboutCustomer) {
  const autoPay = useQuery(customerQueries.autoPay(customerId));
  const mayEnd = useMay('payments:write');
  const [isAsked, setAsked] = useState(false);
  const state = autoPay.data;
  return (
    <Box
      title={t('autoPay.title')}
      aside={
        state && (
          <StatusPill tone={state.isOn ? 'success' : 'neutral'} icon={state.isOn ? 'check' : 'minus'}>
            {t(state.isOn ? 'autoPay.on' : 'autoPay.off')}
          </StatusPill>
        )
      }
    >
      <Loaded query={autoPay}>
        {(data) => (
          <>
            {data.isOn && <NextCharges customerId={customerId} />}
            <Agreed autoPay={data} />
            {data.isOn && data.asksCustomer && mayEnd && (
              <Button size="small" onClick={() => setAsked(true)}>
                {t('autoPay.end')}
              </Button>
            )}
          </>
        )}
      </Loaded>
      {isAsked && (
        <EndDialog
          title={t('autoPay.end.title')}
          text={t('autoPay.end.text')}
          act={t('autoPay.end')}
          onClose={() => setAsked(false)}
          onEnd={async (reason) => {
            await endAutoPay(customerId, reason);
            setAsked(false);
            await onDone(t('autoPay.end.done'));
          }}
        />
      )}
    </Box>
  );
}

/** What the next runs would do about the open invoices, by their own judgement. */
function NextCharges({ customerId }: { readonly customerId: string }) {
  const next = useQuery(customerQueries.nextCharges(customerId));
  const rows = next.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <ul className={parts.lines} aria-label={t('autoPay.next')}>
      {rows.map(({ invoiceId, invoice, chargeOn, would, amount, currency }) => (
        <li key={invoiceId}>
          <div className={parts.lineText}>
            {invoice}
            <p>
              {would === 'charge' && chargeOn !== null ? formatDay(chargeOn) : t(`autoPay.would.${would}`)}
            </p>
          </div>
          <b className={parts.strong}>{formatMoney(amount, { currency })}</b>
        </li>
      ))}
    </ul>
  );
}

function Agreed({ autoPay: { asksCustomer, consents } }: { readonly autoPay: CustomerAutoPay }) {
  if (!asksCustomer) return <Nothing>{t('autoPay.terms')}</Nothing>;
  if (consents.length === 0) return <Nothing>{t('autoPay.never')}</Nothing>;
  return (
    <ul className={parts.lines} aria-label={t('autoPay.consents')}>
      {consents.map(({ at, by, text, revokedAt, revokedBy }) => (
        <li key={at}>
          <div className={parts.lineText}>
            {t('autoPay.agreed', { by, day: formatMoment(at).day })}
            <p>{text}</p>
            {revokedAt !== null && (
              <p>{t('autoPay.revoked', { by: revokedBy ?? '', day: formatMoment(revokedAt).day })}</p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

interface EndDialogProps {
  readonly title: string;
  readonly text: string;
  readonly act: string;
  readonly onEnd: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Ends something of a customer's, for a reason. */
function EndDialog({ title, text, act, onEnd, onClose }: EndDialogProps) {
  const [reason, setReason] = useState('');
  const isReason = reason.trim().length >= 3;
  return (
    <FormDialog
      title={title}
      discard={common('action.cancel')}
      act={act}
      busyAct={t('end.busy')}
      disabled={!isReason}
      onClose={onClose}
      onSubmit={async () => {
        if (isReason) await onEnd(reason.trim());
      }}
    >
      <p>{text}</p>
      <TextInput
        label={t('signInAs.reason')}
        hint={t('end.hint')}
        type="text"
        autoComplete="off"
        maxLength={300}
        required
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
