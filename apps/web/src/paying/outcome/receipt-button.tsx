import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { Button, type ButtonLook } from '../../ui/fields/button.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { t } from '../messages.ts';

interface ReceiptButtonProps extends Pick<ButtonLook, 'variant' | 'size' | 'wide'> {
  /** Id of the payment. */
  readonly payment: string;
  /** The payment's reference: several receipts on one page are told apart by it. */
  readonly reference: string;
}

/** Fetches the receipt of a payment with the session and saves it. */
export function ReceiptButton({ payment, reference, ...look }: ReceiptButtonProps) {
  const making = useMutation({
    mutationFn: () => api.file(`/v1/ec/payments/${encodeURIComponent(payment)}/receipt`),
    onSuccess: (file) => saveFile(file, `Receipt_${reference}.pdf`),
    onError: reportFailure,
  });
  return (
    <Button
      {...look}
      busy={making.isPending}
      busyLabel={t('receipt.busy')}
      onClick={() => !making.isPending && making.mutate()}
    >
      <span>
        {t('receipt')}
        <VisuallyHidden> {reference}</VisuallyHidden>
      </span>
    </Button>
  );
}
