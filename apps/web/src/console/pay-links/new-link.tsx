import type { AdminPayLink } from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import { useQueryClient } from '@tanstack/react-query';
import { NewDialog } from '../parts/new-dialog.tsx';
import { t } from './messages.ts';
import { makePayLinkByNumber } from './queries.ts';

interface NewLinkProps {
  readonly onMade: (link: AdminPayLink) => void;
  readonly onClose: () => void;
}

/** Has an invoice have a link, by the number that stands on it. */
export function NewLink({ onMade, onClose }: NewLinkProps) {
  const client = useQueryClient();
  return (
    <NewDialog
      title={t('new')}
      act={t('new.act')}
      fields={[
        {
          name: 'invoice',
          label: t('new.invoice'),
          hint: t('new.invoice.hint'),
          required: true,
          maxLength: 100,
        },
      ]}
      onClose={onClose}
      onMake={async ({ invoice = '' }) => {
        const link = await makePayLinkByNumber(invoice);
        await client.invalidateQueries({ queryKey: ['pay-links'] });
        onMade(link);
      }}
    />
  );
}
