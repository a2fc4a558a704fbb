import { bulkService } from '@counterfoil/contract/operator/billing/services.ts';
import type * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import { recordAudit } from '../../audit/record.ts';
import type { BulkKind, BulkWritten } from '../../bulk/bulk.ts';
import { sqlState } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { changesBetween } from './put-entities.ts';
import { findService, putService } from './services.ts';

const FOREIGN_KEY = '23503';

/** Services by lines, one after the other: a reseller has few. */
export const bulkServices: BulkKind<z.output<typeof bulkService>> = {
  name: 'service',
  schemaOf: () => bulkService,
  async put(tx, of, lines, now) {
    const written: BulkWritten[] = [];
    for (const { reference, ...values } of lines) {
      const before = await findService(tx, of.resellerId, reference);
      const anyState = { ifMatch: before === undefined ? undefined : '*', ifNoneMatch: undefined };
      const { row, isNew } = await putService(tx, of, reference, values, anyState, now);
      const changes = before === undefined ? {} : changesBetween(before.kept, row.kept);
      const isChanged = Object.keys(changes).length > 0;
      written.push({
        status: isNew ? 'created' : isChanged ? 'changed' : 'unchanged',
        id: row.id,
        ...(isChanged && { changes }),
      });
    }
    return written;
  },
  async takeOut(tx, { resellerId, by }, made, now) {
    for (const { reference: service, id } of made) {
      try {
        await tx.execute(sql`delete from service where reseller_id = ${resellerId} and id = ${id}`);
      } catch (error) {
        if (sqlState(error)?.code !== FOREIGN_KEY) throw error;
        throw new AppError('import.notUndone', { text: `Service ${service} is in use`, cause: error });
      }
      await recordAudit(tx, { action: 'service.removed', at: now, resellerId, ...by, detail: { service } });
    }
  },
};
