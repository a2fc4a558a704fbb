import type { ImportColumnsPut } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import { AppError } from '../../../app-error.ts';
import { recordAudit } from '../../../audit/record.ts';
import type { Database } from '../../../db/database.ts';
import type { FileStore } from '../../../files/file-store.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { importColumnsOf } from '../entities/plan.ts';
import { checkedColumns, storeMapping } from '../mappings/find-mapping.ts';
import { headLength } from '../text/detect.ts';
import { UPLOAD_TASK } from '../uploads/upload.ts';
import { type ImportRow, keepColumns, lockImport } from './queries.ts';
import { type ImportAct, type ImportAt, importNamed } from './service.ts';

/**
 * Says how the columns of an uploaded file are read; it is looked at anew where nothing is open.
 * @param save keeps the mapping for other files, under its name
 * @throws {AppError} import.notFound; import.noColumns where it has begun or is no file of rows; usageImport.unfit for a mapping
 *   that its kind does not have
 */
export async function setColumns(
  { db, files }: { readonly db: Database; readonly files: FileStore },
  at: ImportAt,
  { mapping, kind, save }: ImportColumnsPut,
  { by, now }: ImportAct,
): Promise<ImportRow> {
  const before = await importNamed(db, at);
  const checked = mapping === undefined ? { kind } : checkedColumns(mapping, 'It');
  if (typeof checked === 'string') throw new AppError('usageImport.unfit', { text: capitalised(checked) });
  if (before.columns === null || before.file_key === null) throw new AppError('import.noColumns');
  const { head, isWhole } = await headOfFile(files, before.file_key);
  const columns = await importColumnsOf(head, isWhole, checked);
  if (columns === null) throw new AppError('import.noColumns');
  return db.transaction(async (tx) => {
    const row = await lockImport(tx, at.resellerId, at.id);
    if (row === undefined || !['checking', 'checked'].includes(row.state))
      throw new AppError('import.noColumns');
    await keepColumns(tx, row.id, columns);
    if (columns.questions.length === 0)
      await enqueue(tx, UPLOAD_TASK, { id: row.id }, { key: `${UPLOAD_TASK} ${row.id}` });
    const of = { at: now, resellerId: row.reseller_id, ...by };
    await recordAudit(tx, {
      ...of,
      action: 'import.columnsSet',
      detail: {
        import: row.id,
        file: row.name,
        'before.columns': JSON.stringify(row.columns),
        'after.columns': JSON.stringify(columns.mapping),
      },
    });
    if (save) {
      await storeMapping(tx, row.reseller_id, columns.mapping, now);
      await recordAudit(tx, { ...of, action: 'usageMapping.set', detail: { name: columns.mapping.name } });
    }
    return importNamed(tx, at);
  });
}

/** @throws {AppError} import.noColumns where the file is gone */
async function headOfFile(
  files: FileStore,
  key: string,
): Promise<{ readonly head: Uint8Array; readonly isWhole: boolean }> {
  const stored = await files.read(key);
  if (stored === undefined) throw new AppError('import.noColumns');
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stored.content) {
    pieces.push(piece as Uint8Array);
    size += (piece as Uint8Array).length;
    if (size > headLength) break;
  }
  stored.content.destroy();
  return { head: Buffer.concat(pieces).subarray(0, headLength), isWhole: size <= headLength };
}
