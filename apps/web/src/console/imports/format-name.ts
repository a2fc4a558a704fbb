import { isDocumentFormat } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { isStatementFormat } from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { t } from './messages.ts';

/** What a file is, in words; a mapping has its own name. */
export function formatName(format: string): string {
  if (isStatementFormat(format)) return `${t('format.statement')} (${format})`;
  return isDocumentFormat(format) ? t(`format.${format}`) : format;
}
