import type {
  ColumnSource,
  EntityMapping,
  EntityName,
} from '@counterfoil/contract/operator/imports/entity-import.ts';
import { markSeenIn, ordersOf } from './cells.ts';
import { type DescribedColumn, type DescribedKind, describedKinds } from './described.ts';
import type { Head } from './layout.ts';

/** Something about a file that only a person can say. */
export interface Question {
  readonly about: 'dates' | 'decimalMark' | 'column';
  /** The member it is about. */
  readonly member: string;
  /** What the file says, or lacks. */
  readonly text: string;
}

/** How a file would be read, and what is open about it. */
export interface Guess {
  readonly kind: DescribedKind;
  readonly mapping: EntityMapping;
  readonly questions: readonly Question[];
  /** Columns of the file that nothing takes. */
  readonly unused: readonly string[];
}

/** Compared so, names are the same however they are written. */
export const nameKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '');

/** What a person has said of a file already. */
export interface Said {
  readonly kind?: EntityName | undefined;
  readonly decimalMark?: EntityMapping['decimalMark'] | undefined;
  readonly dates?: EntityMapping['dates'] | undefined;
  readonly timeZone?: string | undefined;
  readonly columns?: EntityMapping['columns'] | undefined;
}

/**
 * Guesses what the columns of a file are, by their names and by what stands in them.
 * @returns undefined where it is no file of the kind that is said, or, where none is said, of one kind before all others
 */
export function guessMapping(head: Head, said: Said): Guess | undefined {
  if (said.kind !== undefined) {
    const kind = describedKinds().find(({ name }) => name === said.kind);
    return kind && guessFor(kind, head, said);
  }
  const fits = describedKinds()
    .map((kind) => guessFor(kind, head, said))
    .filter(({ questions }) => questions.every(({ about }) => about !== 'column'))
    .map((guess) => ({ guess, weight: weightOf(guess) }))
    .sort((one, other) => other.weight - one.weight);
  const [best, next] = fits;
  return best === undefined || best.weight === next?.weight ? undefined : best.guess;
}

/** So many of the other names of a key go before its own. */
const SUREST = 4;

/** A kind fits the better, the more of the file's columns it takes, and of its own it needs. */
const weightOf = ({ kind, mapping, unused }: Guess): number => {
  const taken = Object.keys(mapping.columns);
  const exact = taken.filter((name) => {
    const source = mapping.columns[name];
    return source !== undefined && 'column' in source && nameKey(source.column) === nameKey(name);
  });
  const needed = kind.columns.filter(({ isRequired }) => isRequired).length;
  return taken.length * 10 + exact.length * 5 + needed - unused.length * 5;
};

function guessFor(kind: DescribedKind, head: Head, said: Said): Guess {
  const columns = { ...guessColumns(kind, head), ...said.columns };
  const values = (name: string): readonly string[] => {
    const source = columns[name];
    if (source === undefined) return [];
    if ('value' in source) return [source.value];
    const at = head.header.indexOf(source.column);
    return head.rows.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== '');
  };
  const [mark, markQuestion] =
    said.decimalMark === undefined ? guessMark(kind, head, values) : [said.decimalMark, undefined];
  const [dates, dateQuestion] = said.dates === undefined ? guessDates(kind, values) : [said.dates, undefined];
  const missing = kind.columns
    .filter(({ name, isRequired }) => isRequired && columns[name] === undefined)
    .map(
      ({ name, meaning }): Question => ({
        about: 'column',
        member: name,
        text: `no column is ${name}: ${meaning}`,
      }),
    );
  const taken = new Set(
    Object.values(columns).flatMap((source) => ('column' in source ? [source.column] : [])),
  );
  return {
    kind,
    mapping: {
      name: kind.name,
      title: kind.title,
      entity: kind.name,
      ...head.layout,
      decimalMark: mark,
      dates,
      timeZone: said.timeZone,
      columns,
    },
    questions: [...missing, ...(markQuestion ?? []), ...(dateQuestion ?? [])],
    unused: head.header.filter((name) => name !== '' && !taken.has(name)),
  };
}

/** Which column is which member: by its own name first, then by what others call it, then by what stands in it. */
function guessColumns(kind: DescribedKind, head: Head): Record<string, ColumnSource> {
  const found = new Map<string, string>();
  const free = new Map<string, string[]>();
  for (const name of head.header) {
    const key = nameKey(name);
    if (key !== '') free.set(key, [...(free.get(key) ?? []), name]);
  }
  const take = (member: string, called: string): void => {
    const [name, ...others] = free.get(nameKey(called)) ?? [];
    if (name === undefined || found.has(member)) return;
    found.set(member, name);
    free.set(nameKey(called), others);
  };
  // Beside a column 'Invoice number' one called 'Reference' is something else.
  const key = kind.columns.find(({ name }) => name === kind.key);
  for (const called of key?.alsoCalled.slice(0, SUREST) ?? []) take(kind.key, called);
  for (const { name } of kind.columns) take(name, name);
  const most = Math.max(...kind.columns.map(({ alsoCalled }) => alsoCalled.length));
  // What is said first of a member says the most: 'customer number' goes before 'number'.
  for (let rank = 0; rank < most; rank += 1)
    for (const { name, alsoCalled } of kind.columns) {
      const called = alsoCalled[rank];
      if (called !== undefined) take(name, called);
    }
  for (const column of kind.columns)
    if (!found.has(column.name)) {
      const shape = shapeOf(column);
      const fitting =
        shape === undefined
          ? []
          : head.header.filter((name, at) => !isTaken(found, name) && holds(head, at, shape));
      const [only, other] = fitting;
      if (only !== undefined && other === undefined) found.set(column.name, only);
    }
  return Object.fromEntries([...found].map(([member, name]) => [member, { column: name }]));
}

const isTaken = (found: ReadonlyMap<string, string>, name: string): boolean =>
  [...found.values()].includes(name);

/** Values that hardly anything else has. */
const shapeOf = ({ name }: DescribedColumn): RegExp | undefined => {
  if (name === 'email') return /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
  if (name === 'currency') return /^[A-Z]{3}$/;
  return undefined;
};

const holds = (head: Head, at: number, shape: RegExp): boolean => {
  const cells = head.rows.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== '');
  return cells.length > 0 && cells.every((cell) => shape.test(cell));
};

type Values = (member: string) => readonly string[];

function guessMark(
  kind: DescribedKind,
  head: Head,
  values: Values,
): [EntityMapping['decimalMark'], Question[]?] {
  if (head.layout.format === 'ndjson') return ['.'];
  let [point, comma]: [string | undefined, string | undefined] = [undefined, undefined];
  let either: Question | undefined;
  for (const { name, form } of kind.columns) {
    if (form !== 'money' && form !== 'number') continue;
    for (const cell of values(name)) {
      const mark = markSeenIn(cell);
      if (mark === '.') point ??= cell;
      if (mark === ',') comma ??= cell;
      if (mark === 'either')
        either ??= {
          about: 'decimalMark',
          member: name,
          text: `'${cell}' may have thousands or decimals; say which mark stands before decimals`,
        };
    }
  }
  if (point !== undefined && comma !== undefined)
    return [
      '.',
      [
        {
          about: 'decimalMark',
          member: '',
          text: `'${point}' and '${comma}' stand in one file; say which mark stands before decimals`,
        },
      ],
    ];
  if (point !== undefined) return ['.'];
  if (comma !== undefined) return [','];
  return either === undefined ? ['.'] : ['.', [either]];
}

function guessDates(kind: DescribedKind, values: Values): [EntityMapping['dates'], Question[]?] {
  let either: Question | undefined;
  const seen = new Set<'dayFirst' | 'monthFirst'>();
  for (const { name, form } of kind.columns) {
    if (form !== 'date') continue;
    for (const cell of values(name)) {
      const [one, other] = ordersOf(cell);
      if (one !== undefined && other === undefined) seen.add(one);
      if (other !== undefined)
        either ??= {
          about: 'dates',
          member: name,
          text: `'${cell}' may be a day of either of two months; say which comes first, the day or the month`,
        };
    }
  }
  const [order, second] = seen;
  if (second !== undefined)
    return [
      'dayFirst',
      [
        {
          about: 'dates',
          member: '',
          text: 'days stand first in some cells and months in others; say which comes first',
        },
      ],
    ];
  if (order !== undefined) return [order];
  return either === undefined ? ['yearFirst'] : ['dayFirst', [either]];
}
