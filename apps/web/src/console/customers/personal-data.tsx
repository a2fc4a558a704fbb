import type { AdminCustomer } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import type { Erasure } from '@counterfoil/contract/operator/customers/privacy.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useMay } from '../operator.ts';
import { Box } from '../parts/box.tsx';
import parts from '../parts/parts.module.css';
import { type DataOf, EraseDialog } from './erase-dialog.tsx';
import { t } from './messages.ts';
import { customerQueries, eraseData, exportData } from './queries.ts';

interface PersonalDataProps {
  readonly customer: AdminCustomer;
  /** Something was done; the words say what. */
  readonly onDone: (words: string) => Promise<void>;
}

/** What is held about the customer and about each of its users: as files for those who ask for it, and erased. */
export function PersonalData({ customer: { id, label }, onDone }: PersonalDataProps) {
  const users = useQuery({ ...customerQueries.users(id), enabled: useMay('users:read') });
  const [asked, setAsked] = useState<{ readonly of: DataOf; readonly foreseen: Erasure }>();
  const line = (of: DataOf, about: string) => (
    <DataLine key={of.email ?? ''} of={of} about={about} onAsk={(foreseen) => setAsked({ of, foreseen })} />
  );
  return (
    <Box title={t('data.title')}>
      <ul className={parts.lines} aria-label={t('data.title')}>
        {line({ customerId: id, email: undefined, name: label }, t('data.customer'))}
        {users.data?.map(({ email, displayName: name }) =>
          line({ customerId: id, email, name }, t('data.user')),
        )}
      </ul>
      {asked !== undefined && (
        <EraseDialog
          {...asked}
          onClose={() => setAsked(undefined)}
          onDone={async () => {
            setAsked(undefined);
            await onDone(t('data.erase.done', { name: asked.of.name }));
          }}
        />
      )}
    </Box>
  );
}

interface DataLineProps {
  readonly of: DataOf;
  readonly about: string;
  /** What an erasure would do was asked for. */
  readonly onAsk: (foreseen: Erasure) => void;
}

function DataLine({ of: { customerId, email, name }, about, onAsk }: DataLineProps) {
  const [busy, setBusy] = useState<'export' | 'erase'>();
  const [mayExport, mayErase] = [useMay('privacy:export'), useMay('privacy:erase')];
  const run = (what: 'export' | 'erase', work: () => Promise<void>) => {
    setBusy(what);
    void work()
      .catch(reportFailure)
      .finally(() => setBusy(undefined));
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
        {mayExport && (
          <Button
            size="small"
            busy={busy === 'export'}
            busyLabel={t('data.export.busy')}
            aria-label={t('data.export.name', { name })}
            onClick={() =>
              run('export', async () => saveFile(await exportData(customerId, email), 'data.zip'))
            }
          >
            <Icon name="download" />
            {t('data.export')}
          </Button>
        )}
        {mayErase && (
          <Button
            size="small"
            danger
            busy={busy === 'erase'}
            busyLabel={t('data.erase.counting')}
            aria-label={t('data.erase.name', { name })}
            onClick={() => run('erase', async () => onAsk(await eraseData(customerId, email, false)))}
          >
            {t('data.erase')}
          </Button>
        )}
      </div>
    </li>
  );
}
