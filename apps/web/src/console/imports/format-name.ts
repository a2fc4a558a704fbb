import { isDocumentFormat } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { t } from './messages.ts';

/** What a file is, in words; a mapping has its own name. */
export const formatName = (format: string): string =>
  isDocumentFormat(format) ? t(`format.${format}`) : format;
