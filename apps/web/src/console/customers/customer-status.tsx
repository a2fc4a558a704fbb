import type { AdminCustomer } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { t } from './messages.ts';

/** Whether a customer is open in the portal. */
export const CustomerStatus = ({ status }: Pick<AdminCustomer, 'status'>) =>
  status === 'active' ? (
    <StatusPill tone="success" icon="check">
      {t('status.active')}
    </StatusPill>
  ) : (
    <StatusPill tone="warning" icon="lock">
      {t('status.disabled')}
    </StatusPill>
  );
