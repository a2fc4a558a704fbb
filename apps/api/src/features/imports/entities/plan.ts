import type { EntityMapping, ImportColumns } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { type DescribedKind, describedKind } from './described.ts';
import { guessMapping, type Question, type Said } from './guess.ts';
import { type Head, headOf } from './layout.ts';

/** How a file is read, or what has to be said before it can be. */
export interface Plan {
  readonly kind: DescribedKind;
  readonly mapping: EntityMapping;
  readonly questions: readonly Question[];
  /** Undefined where a mapping of the reseller's own says everything. */
  readonly head: Head | undefined;
  /** Columns of the file that nothing takes. */
  readonly unused: readonly string[];
}

/**
 * Plans the reading of a file of rows.
 * @param head the beginning of the file
 * @param isWhole whether that is all of it
 * @param said what is known of it, or a whole mapping
 * @returns undefined where it is no file of rows, or of no kind that is known
 */
export async function planOf(
  head: Uint8Array,
  isWhole: boolean,
  said: Said | EntityMapping,
): Promise<Plan | undefined> {
  if ('entity' in said) {
    const kind = describedKind(said.entity);
    return { kind, mapping: said, questions: [], head: await headOf(head, isWhole, said), unused: [] };
  }
  const found = await headOf(head, isWhole);
  const guess = found && guessMapping(found, said);
  return guess && { ...guess, head: found };
}

/** What is open, in one sentence. */
export const openQuestions = (questions: readonly Question[]): string =>
  questions
    .slice(0, 5)
    .map(({ text }) => text)
    .join('; ');

const MOST_SAMPLES = 3;
const MOST_COLUMNS = 200;
const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/**
 * How the columns of a file are read, as programs and the console are told it.
 * @returns null where it is no file of rows, or of no kind that is known
 */
export async function importColumnsOf(
  head: Uint8Array,
  isWhole: boolean,
  said: Said | EntityMapping,
): Promise<ImportColumns | null> {
  const plan = await planOf(head, isWhole, said);
  if (plan === undefined) return null;
  const { mapping } = plan;
  const header = plan.head?.header ?? [];
  const samples = (plan.head?.rows ?? []).slice(0, MOST_SAMPLES);
  return {
    mapping,
    header: header.slice(0, MOST_COLUMNS),
    samples: samples.map((row) => row.slice(0, MOST_COLUMNS).map(cut)),
    questions: [...plan.questions, ...missingIn(plan)],
  };
}

/** What a mapping of a person's own leaves open: members that are needed, and columns that the file does not have. */
function missingIn({ kind, mapping, head, questions }: Plan): Question[] {
  const asked = new Set(questions.map(({ member }) => member));
  return kind.columns.flatMap(({ name, isRequired, meaning }): Question[] => {
    const source = mapping.columns[name];
    if (asked.has(name)) return [];
    if (source === undefined)
      return isRequired ? [{ about: 'column', member: name, text: `no column is ${name}: ${meaning}` }] : [];
    if ('value' in source || head === undefined || head.header.includes(source.column)) return [];
    // A member of NDJSON may come with a later line.
    if (head.layout.format === 'ndjson') return [];
    return [{ about: 'column', member: name, text: `the file has no column '${source.column}'` }];
  });
}
