import type { AdminCustomer } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoment } from '../../lib/values/moment.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { Button, buttonClass } from '../../ui/fields/button.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { History } from '../audit/history.tsx';
import { useMay } from '../operator.ts';
import { Done } from '../parts/done.tsx';
import { Facts } from '../parts/facts.tsx';
import { KeyOf } from '../parts/key.tsx';
import { OnePage } from '../parts/one-page.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { useKeys } from '../shell/use-keys.ts';
import { AutoPay, PaymentMethods } from './customer-methods.tsx';
import { AmountsDue, OpenInvoices } from './customer-money.tsx';
import { CustomerStatus } from './customer-status.tsx';
import { CustomerUsers } from './customer-users.tsx';
import styles from './customers.module.css';
import { InviteDialog } from './invite-dialog.tsx';
import { t } from './messages.ts';
import { PaymentsFromOutside } from './payments-from-outside.tsx';
import { PersonalData } from './personal-data.tsx';
import { customerQueries, setCustomerActive } from './queries.ts';
import { SignInAs } from './sign-in-as.tsx';

/** A customer on one page: who it is, who signs in for it, what came in. */
export default function CustomerPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const customer = useQuery(customerQueries.one(id));
  useTitle(customer.data?.label ?? t('title'), consoleName);
  return (
    <OnePage query={customer} list={{ to: '/admin/customers', label: t('title') }}>
      {(data) => <Customer key={id} customer={data} />}
    </OnePage>
  );
}

function Customer({ customer }: { readonly customer: AdminCustomer }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<'invite' | 'state'>();
  const [done, setDone] = useState<string>();
  const mayChange = useMay('customers:write');
  const mayInvite = useMay('users:write');
  const maySignInAs = useMay('users:signInAs') && customer.status === 'active';
  const [isSigningIn, setSigningIn] = useState(false);
  const maySeeUsers = useMay('users:read');
  const maySeePayments = useMay('payments:read');
  const maySeeInvoices = useMay('invoices:read');
  const maySeeTrail = useMay('audit:read');
  const mayExport = useMay('privacy:export');
  const mayErase = useMay('privacy:erase');
  const { id, label: name, reference, status, createdAt } = customer;
  const isActive = status === 'active';
  const finish = async (words: string) => {
    await client.invalidateQueries({ queryKey: ['customer', id] });
    setAsked(undefined);
    setDone(words);
  };
  const toggleSignIn = () => setSigningIn(!isSigningIn);
  useKeys({ s: maySignInAs ? toggleSignIn : undefined, u: mayInvite ? () => setAsked('invite') : undefined });
  return (
    <>
      <PageTop
        title={name}
        facts={[
          reference ?? t('noReference'),
          t('since', { day: formatMoment(createdAt).day }),
          <CustomerStatus key="status" status={status} />,
        ]}
        acts={
          <>
            {maySeePayments && (
              <Link
                className={buttonClass({})}
                to={'/admin/payments' as never}
                search={{ customer: id } as never}
              >
                {t('payments')}
              </Link>
            )}
            {maySignInAs && (
              <Button aria-keyshortcuts="s" aria-expanded={isSigningIn} onClick={toggleSignIn}>
                {t('signInAs')} <KeyOf>S</KeyOf>
              </Button>
            )}
            {mayInvite && (
              <Button aria-keyshortcuts="u" onClick={() => setAsked('invite')}>
                {t('invite')} <KeyOf>U</KeyOf>
              </Button>
            )}
            {mayChange && (
              <Button danger={isActive} onClick={() => setAsked('state')}>
                {t(isActive ? 'disable' : 'enable')}
              </Button>
            )}
          </>
        }
      />
      {isSigningIn && (
        <SignInAs
          customerId={id}
          name={name}
          onDone={(words) => {
            setSigningIn(false);
            setDone(words);
          }}
        />
      )}
      <Done words={done} onClose={() => setDone(undefined)} />
      {maySeeInvoices && <AmountsDue customerId={id} />}
      <div className={parts.split}>
        <div className={parts.stack}>
          {maySeeInvoices && <OpenInvoices customerId={id} onDone={setDone} />}
          {maySeePayments && <PaymentsFromOutside customerId={id} />}
          {maySeeTrail && <History customerId={id} />}
        </div>
        <div className={parts.stack}>
          {maySeePayments && <PaymentMethods customerId={id} onDone={finish} />}
          {maySeePayments && <AutoPay customerId={id} onDone={finish} />}
          {maySeeUsers && <CustomerUsers customerId={id} onDone={finish} />}
          <Details customer={customer} />
          {(mayExport || mayErase) && <PersonalData customer={customer} onDone={finish} />}
        </div>
      </div>
      {asked === 'invite' && (
        <InviteDialog customerId={id} onDone={finish} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'state' && (
        <ConfirmDialog
          title={t(isActive ? 'disable.title' : 'enable.title', { name })}
          act={t(isActive ? 'disable' : 'enable')}
          busyAct={t(isActive ? 'disable.busy' : 'enable.busy')}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await setCustomerActive(id, !isActive);
            await finish(t(isActive ? 'disable.done' : 'enable.done', { name }));
          }}
        >
          {t(isActive ? 'disable.text' : 'enable.text')}
        </ConfirmDialog>
      )}
    </>
  );
}

function Details({ customer }: { readonly customer: AdminCustomer }) {
  const { email, address, country, brandId } = customer;
  const lines = [...address.lines, address.city, address.region, address.postalCode].filter(Boolean);
  const none = <span className={styles.muted}>{t('details.none')}</span>;
  const facts = [
    ['details.email', email ?? none],
    ['details.address', lines.length === 0 ? none : lines.join(', ')],
    ['details.country', country ?? none],
    ['details.brand', brandId ?? t('details.brand.first')],
  ] as const;
  return <Facts title={t('details.title')} facts={facts.map(([term, value]) => [t(term), value])} />;
}
