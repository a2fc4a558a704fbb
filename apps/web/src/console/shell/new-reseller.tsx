import type { AdminReseller } from '@counterfoil/contract/operator/running/admin-brands.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { consoleApi } from '../../lib/api/console-api.ts';
import { chooseReseller, forgetOperator } from '../operator.ts';
import { NewDialog } from '../parts/new-dialog.tsx';
import { t } from './messages.ts';

/** A reseller, for operators of the installation; what follows is done for it. */
export default function NewReseller({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const router = useRouter();
  return (
    <NewDialog
      title={t('reseller.new')}
      act={t('reseller.act')}
      taken={t('reseller.taken')}
      fields={[
        {
          name: 'reference',
          label: t('reseller.reference'),
          hint: t('reseller.reference.hint'),
          required: true,
        },
        { name: 'name', label: t('reseller.name'), hint: t('reseller.name.hint'), required: true },
      ]}
      onClose={onClose}
      onMake={async ({ reference = '', name }) => {
        const path = `/v1/admin/resellers/by-reference/${encodeURIComponent(reference)}`;
        const made = await consoleApi.put<AdminReseller>(
          path,
          { name },
          { headers: { 'If-None-Match': '*' } },
        );
        forgetOperator(client);
        chooseReseller(client, made.id);
        onClose();
        // Its first brand comes next.
        await router.navigate({ to: '/admin/brands' as never });
        await router.invalidate();
      }}
    />
  );
}
