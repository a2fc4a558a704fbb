import { ownReference } from '@counterfoil/contract/operator/parts.ts';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { BulkKind, BulkWritten } from '../../bulk/bulk.ts';
import type { Entity } from './entity.ts';
import { putEntities, removeEntities } from './put-entities.ts';

const removal = z.strictObject({ reference: ownReference, remove: z.literal(true) });

/** A line of a file: a thing as it is to be, or that it is to go. */
export type EntityLine<Values> = (Values & { readonly reference: string }) | z.output<typeof removal>;

const isRemoval = <Values>(line: EntityLine<Values>): line is z.output<typeof removal> =>
  'remove' in line && line.remove === true;

/** A kind of thing, by lines. @param values of one that is to be as it is given */
export const bulkOf = <Values, Kept>(
  entity: Entity<Values, Kept>,
  values: z.ZodMiniObject & z.ZodMiniType<Values>,
): BulkKind<EntityLine<Values>> => {
  // The compiler does not follow the members through an extension.
  const line = z.extend(values, { reference: ownReference }) as unknown as z.ZodMiniType<EntityLine<Values>>;
  return {
    name: entity.kind,
    schemaOf: (given) => (typeof given === 'object' && given !== null && 'remove' in given ? removal : line),
    async put(tx, of, lines, now) {
      const removals = lines.filter(isRemoval).map(({ reference }) => reference);
      const writes = lines.flatMap((one) => {
        if (isRemoval(one)) return [];
        const { reference, ...values } = one;
        return [{ reference, values: values as Values }];
      });
      const results = new Map<string, BulkWritten | AppError>();
      // What goes makes room for what comes.
      const removed = await removeEntities(tx, entity, of, removals, now);
      for (const reference of removals) {
        const row = removed.get(reference);
        results.set(
          reference,
          // What is gone already is as it is to be.
          row === undefined ? { status: 'unchanged' } : { status: 'removed', id: row.id },
        );
      }
      const written = writes.length === 0 ? [] : await putEntities(tx, entity, of, writes, now);
      for (const [at, { reference }] of writes.entries()) {
        const done = written[at];
        if (done === undefined) throw new Error(`${entity.kind} ${reference} was not written`);
        if (done instanceof AppError) results.set(reference, done);
        else {
          const { outcome: status, row, isAdopted, changes } = done;
          results.set(reference, { status, id: row.id, isAdopted, changes });
        }
      }
      return lines.map(({ reference }) => results.get(reference) ?? new AppError('server.unavailable'));
    },
    async takeOut(tx, of, made, now) {
      await removeEntities(
        tx,
        entity,
        of,
        made.map(({ reference }) => reference),
        now,
      );
    },
  };
};
