import type { AdminCustomer } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useMay } from '../operator.ts';
import { Box } from '../parts/box.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import { customerQueries, exportData } from './queries.ts';

/** What is held about the customer and about each of its users, as files for those who ask for it. */
export function PersonalData({ customer: { id, label } }: { readonly customer: AdminCustomer }) {
  const users = useQuery({ ...customerQueries.users(id), enabled: useMay('users:read') });
  return (
    <Box title={t('data.title')}>
      <ul className={parts.lines} aria-label={t('data.title')}>
        <DataLine customerId={id} name={label} about={t('data.customer')} />
        {users.data?.map(({ id: userId, email, displayName }) => (
          <DataLine key={userId} customerId={id} email={email} name={displayName} about={t('data.user')} />
        ))}
      </ul>
    </Box>
  );
}

interface DataLineProps {
  readonly customerId: string;
  /** Of a user; without it the customer is meant. */
  readonly email?: string;
  readonly name: string;
  readonly about: string;
}

function DataLine({ customerId, email, name, about }: DataLineProps) {
  const [busy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    void exportData(customerId, email)
      .then((file) => saveFile(file, 'data.zip'), reportFailure)
      .finally(() => setBusy(false));
  };
  return (
    <li>
      <div className={parts.lineText}>
        <b className={parts.strong} dir="auto">
          {name}
        </b>
        <p>{about}</p>
      </div>
      <div className={parts.lineEnd}>
        <Button
          size="small"
          busy={busy}
          busyLabel={t('data.export.busy')}
          aria-label={t('data.export.name', { name })}
          onClick={save}
        >
          <Icon name="download" />
          {t('data.export')}
        </Button>
      </div>
    </li>
  );
}
