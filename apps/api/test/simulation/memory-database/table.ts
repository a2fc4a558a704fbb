import pg from 'pg';
import { keyOf, type Row } from './values.ts';

/** A place of a row in its table; the row in it is replaced. */
export interface Place {
  row: Row;
}

/** What undoes one change. */
export type Undo = () => void;

export interface UniqueKey {
  readonly name: string;
  readonly columns: readonly string[];
  /** Only rows for which this holds are in it. */
  readonly where: ((row: Row) => boolean) | undefined;
}

export interface Check {
  readonly name: string;
  /** Where none of these has changed it still holds. */
  readonly columns: readonly string[];
  /** Null counts as met. */
  readonly isMet: (row: Row) => boolean;
}

/** An error as the server sends it, so that the code under test tells it by its SQLSTATE. */
export function refusal(code: string, constraint: string, message: string): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  return Object.assign(error, { code, constraint });
}

/** Rows by the values of some columns. */
export class Index {
  readonly columns: readonly string[];
  readonly #places = new Map<string, Set<Place>>();

  constructor(columns: readonly string[]) {
    this.columns = columns;
  }

  at(key: string): Iterable<Place> | undefined {
    return this.#places.get(key);
  }

  add(place: Place): void {
    const key = keyIn(this.columns, place.row);
    if (key === undefined) return;
    const known = this.#places.get(key);
    if (known === undefined) this.#places.set(key, new Set([place]));
    else known.add(place);
  }

  remove(place: Place): void {
    const key = keyIn(this.columns, place.row);
    const known = key === undefined ? undefined : this.#places.get(key);
    if (key === undefined || known === undefined) return;
    known.delete(place);
    if (known.size === 0) this.#places.delete(key);
  }

  /** Whether a change of a row leaves its place in this index. */
  isSame(before: Row, after: Row): boolean {
    return this.columns.every((column) => before[column] === after[column]);
  }
}

/** The key of a row; undefined where one of its values is null, for null equals nothing. */
export function keyIn(columns: readonly string[], row: Row): string | undefined {
  const [first = '', ...rest] = columns;
  const value = row[first];
  if (value === null) return undefined;
  let key = keyOf(value);
  for (const column of rest) {
    const one = row[column];
    if (one === null) return undefined;
    key += `\u0000${keyOf(one)}`;
  }
  return key;
}

/** Whether a change of a row may change its place under a key. */
const isMoved = (key: UniqueKey, before: Row, after: Row): boolean =>
  key.where?.(before) !== key.where?.(after) ||
  key.columns.some((column) => before[column] !== after[column]);

/** A table: its rows, unique keys, checks and indexes. */
export class Table {
  readonly name: string;
  readonly places = new Set<Place>();
  readonly checks: readonly Check[];
  readonly keys: readonly UniqueKey[];
  readonly #unique: Map<string, Place>[];
  readonly #indexes = new Map<string, Index>();

  constructor(name: string, keys: readonly UniqueKey[], checks: readonly Check[]) {
    this.name = name;
    this.keys = keys;
    this.checks = checks;
    this.#unique = keys.map(() => new Map());
  }

  /** An index on these columns; made where there is none. */
  indexOn(columns: readonly string[]): Index {
    const name = columns.join();
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = new Index(columns);
    for (const place of this.places) index.add(place);
    this.#indexes.set(name, index);
    return index;
  }

  /** Whether these columns tell every row from the others. */
  isKey(columns: readonly string[]): boolean {
    return this.keys.some(
      (key) => key.where === undefined && key.columns.every((one) => columns.includes(one)),
    );
  }

  /** The row that has the same key as this one would have. */
  conflicting(row: Row, columns: readonly string[]): Place | undefined {
    for (const [n, key] of this.keys.entries()) {
      const isAsked = columns.length === 0 || key.columns.join() === columns.join();
      const found = isAsked ? this.#holder(n, row) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #holder(n: number, row: Row): Place | undefined {
    const key = this.keys[n];
    if (key === undefined || key.where?.(row) === false) return undefined;
    const text = keyIn(key.columns, row);
    return text === undefined ? undefined : this.#unique[n]?.get(text);
  }

  insert(row: Row, undo: Undo[]): Place {
    this.#check(row);
    const place = { row };
    this.#refuseTaken(place);
    this.#enter(place);
    undo.push(() => this.#leave(place));
    return place;
  }

  /** @throws {pg.DatabaseError} before anything is changed */
  update(place: Place, row: Row, undo: Undo[]): void {
    const before = place.row;
    this.#check(row, before);
    this.#refuseTaken(place, row, before);
    this.#replace(place, row);
    undo.push(() => this.#replace(place, before));
  }

  delete(place: Place, undo: Undo[]): void {
    this.#leave(place);
    undo.push(() => this.#enter(place));
  }

  #check(row: Row, before?: Row): void {
    for (const { name, columns, isMet } of this.checks) {
      const isTouched = before === undefined || columns.some((column) => before[column] !== row[column]);
      if (isTouched && !isMet(row))
        throw refusal('23514', name, `row of "${this.name}" violates check "${name}"`);
    }
  }

  #refuseTaken(place: Place, row = place.row, before?: Row): void {
    for (const [n, key] of this.keys.entries()) {
      const { name } = key;
      if (before !== undefined && !isMoved(key, before, row)) continue;
      const holder = this.#holder(n, row);
      if (holder !== undefined && holder !== place)
        throw refusal('23505', name, `duplicate key value violates unique constraint "${name}"`);
    }
  }

  #enter(place: Place): void {
    this.places.add(place);
    for (const [n, key] of this.keys.entries()) this.#enterKey(n, key, place);
    for (const index of this.#indexes.values()) index.add(place);
  }

  #enterKey(n: number, key: UniqueKey, place: Place): void {
    const text = key.where?.(place.row) === false ? undefined : keyIn(key.columns, place.row);
    if (text !== undefined) this.#unique[n]?.set(text, place);
  }

  #leave(place: Place): void {
    this.places.delete(place);
    for (const [n, key] of this.keys.entries()) this.#leaveKey(n, key, place);
    for (const index of this.#indexes.values()) index.remove(place);
  }

  #leaveKey(n: number, key: UniqueKey, place: Place): void {
    const text = keyIn(key.columns, place.row);
    if (text !== undefined && this.#unique[n]?.get(text) === place) this.#unique[n]?.delete(text);
  }

  #replace(place: Place, row: Row): void {
    const before = place.row;
    const moved = [...this.#indexes.values()].filter((index) => !index.isSame(before, row));
    const rekeyed = this.keys.map((key) => isMoved(key, before, row));
    for (const index of moved) index.remove(place);
    for (const [n, key] of this.keys.entries()) if (rekeyed[n] === true) this.#leaveKey(n, key, place);
    place.row = row;
    for (const [n, key] of this.keys.entries()) if (rekeyed[n] === true) this.#enterKey(n, key, place);
    for (const index of moved) index.add(place);
  }
}
