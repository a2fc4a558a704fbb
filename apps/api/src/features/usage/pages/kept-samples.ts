import { Database, type Db } from '../../../db/database.ts';
import { Known } from '../../../known.ts';
import { type KeyedMonth, type SampledList, sampleMonths } from './make-samples.ts';
import { forgetSamples, listKept, listSamples, type SampleRow } from './sample-queries.ts';

/** About what a sample takes: a few short texts. */
export const SAMPLE_BYTES = 250;
const KEPT_BYTES = 16 * 1024 * 1024;

/** Samples that were read, for all lists that are found by them: those of whole months are the same for every filter. */
export class KeptSamples {
  readonly #known = new Known<readonly SampleRow[]>(KEPT_BYTES);

  /**
   * The samples of months, merged in their order. Months that were not sampled yet, or have changed since, are sampled
   * first.
   * @returns undefined when a month changes meanwhile, and where nothing can be written
   */
  async of(
    db: Db,
    list: SampledList,
    months: readonly KeyedMonth[],
  ): Promise<readonly SampleRow[] | undefined> {
    const { scope, order } = list;
    const names = months.map(({ month, key, version }) => [month, key, String(version)]);
    const name = JSON.stringify([scope.customerId, order, names]);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const kept = new Set((await listKept(db, scope, order, months)).map(({ month }) => month));
    const missing = months.filter(({ month }) => !kept.has(month));
    if (missing.length > 0) {
      if (!(db instanceof Database)) return undefined;
      await sampleMonths(db, list, missing);
      await db.transaction((tx) => tx.execute(forgetSamples(scope)));
    }
    const rows = await listSamples(db, scope, order, months);
    if (new Set(rows.map(({ month }) => month)).size !== months.length) return undefined;
    this.#known.set(name, rows, SAMPLE_BYTES * rows.length);
    return rows;
  }
}
