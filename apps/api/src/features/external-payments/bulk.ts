import { newExternalPayment } from '@counterfoil/contract/operator/paying/external-payments.ts';
import type * as z from 'zod/mini';
import type { BulkKind, BulkWritten } from '../../bulk/bulk.ts';
import { recordExternalPayment, voidExternalPayment } from './service.ts';

/** Payments from outside by lines; one of a reference that is known books nothing. */
export const bulkExternalPayments: BulkKind<z.output<typeof newExternalPayment>> = {
  name: 'externalPayment',
  schemaOf: () => newExternalPayment,
  async put(tx, { resellerId, by }, lines, now) {
    const written: BulkWritten[] = [];
    // One after the other: each may pay what the one before has left.
    for (const line of lines) {
      const { payment, isNew } = await recordExternalPayment(tx, line, { resellerId, ...by }, now);
      written.push({ status: isNew ? 'created' : 'unchanged', id: payment.id });
    }
    return written;
  },
  async takeOut(tx, { resellerId, by }, made, now) {
    for (const { id } of made)
      await voidExternalPayment(tx, id, 'Its import was undone', { resellerId, ...by }, now);
  },
};
