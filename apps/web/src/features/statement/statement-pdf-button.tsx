import type { Statement } from '@counterfoil/contract/statement.ts';
import { useMutation } from '@tanstack/react-query';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t } from './messages.ts';
import { fetchStatementPdf } from './queries.ts';

/** Saves the statement that is shown as the server prints it. */
export function StatementPdfButton({ statement }: { readonly statement: Statement | undefined }) {
  const making = useMutation({
    mutationFn: fetchStatementPdf,
    onSuccess: (file, { dateFrom, dateTo }) => saveFile(file, `Statement_${dateFrom}_${dateTo}.pdf`),
    onError: reportFailure,
  });
  return (
    <Button
      disabled={statement === undefined}
      busy={making.isPending}
      busyLabel={t('makingPdf')}
      onClick={() => statement && !making.isPending && making.mutate(statement)}
    >
      <Icon name="file" />
      {t('downloadPdf')}
    </Button>
  );
}
