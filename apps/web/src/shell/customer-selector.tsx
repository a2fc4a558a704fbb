import type { ReactNode } from 'react';
import { usePortal } from '../lib/portal/portal-context.ts';
import { switchCustomer } from '../lib/session/leave.ts';
import { ComboBox } from '../ui/fields/combo-box.tsx';
import { t } from './messages.ts';

interface CustomerSelectorProps {
  readonly triggerClass: string | undefined;
  readonly children: ReactNode;
  /** The choice is stored and the page is about to load again. */
  readonly onSwitch: () => void;
}

/** The searchable list of the user's customers. Choosing one stores it and reloads (specification, portal §4). */
export function CustomerSelector({ triggerClass, children, onSwitch }: CustomerSelectorProps) {
  const { me, customer } = usePortal();
  return (
    <ComboBox
      options={me.customers.map(({ customerId, label }) => ({ id: customerId, label }))}
      value={customer?.customerId}
      label={t('shell.customer')}
      placeholder={t('shell.selectCustomer')}
      triggerClass={triggerClass}
      onChange={(id) => {
        onSwitch();
        switchCustomer(id);
      }}
    >
      {children}
    </ComboBox>
  );
}
