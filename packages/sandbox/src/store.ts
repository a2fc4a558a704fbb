/**
 * The sandbox's memory: named collections of JSON values, rebuilt at start from the journal.
 *
 * A transaction changes memory at once and is written as one line when it commits, so that a charge, its
 * events and its idempotency record are on disk together or not at all.
 */
import type { Operation } from './faults.ts';
import { Journal, readJournal } from './journal.ts';

/** One line of `GET /_sandbox/journal`: what was asked and what came of it, never what it contained. */
export interface JournalNote {
  readonly at: string;
  readonly gateway: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | 'no answer';
  readonly operation?: Operation;
  readonly account?: string;
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  readonly replayed?: boolean;
  readonly faults?: readonly string[];
}

type Change = readonly [collection: string, id: string, value?: unknown];
interface Line {
  readonly ops?: readonly Change[];
  readonly note?: JournalNote;
}

const keptNotes = 5000;

/** Values by id, in the order in which they were first stored. Read a value, change a copy, put it back. */
export class Collection<T> {
  readonly name: string;
  readonly #values = new Map<string, T>();
  #order: string[] = [];
  /** Entries of the order whose value was removed; swept when they are many. */
  #gone = 0;

  constructor(name: string) {
    this.name = name;
  }

  get size(): number {
    return this.#values.size;
  }

  get(id: string): T | undefined {
    return this.#values.get(id);
  }

  /** All values, the newest first. */
  *newest(): Generator<T> {
    const seen = this.#gone > 0 ? new Set<string>() : undefined;
    for (let index = this.#order.length - 1; index >= 0; index -= 1) {
      const id = this.#order[index] ?? '';
      const value = this.#values.get(id);
      if (value === undefined || seen?.has(id)) continue;
      seen?.add(id);
      yield value;
    }
  }

  entries(): IterableIterator<[string, T]> {
    return this.#values.entries();
  }

  /** Only for transactions and the loader. */
  apply(id: string, value: T | undefined): void {
    if (value === undefined) {
      if (!this.#values.delete(id)) return;
      this.#gone += 1;
      if (this.#gone > 64 && this.#gone > this.#order.length / 2) {
        this.#order = [...this.#values.keys()];
        this.#gone = 0;
      }
      return;
    }
    if (!this.#values.has(id)) this.#order.push(id);
    this.#values.set(id, value);
  }
}

export class Transaction {
  readonly #store: Store;
  #changes = new Map<string, Change>();
  #before: { collection: Collection<unknown>; id: string; value: unknown }[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  put<T>(collection: Collection<T>, id: string, value: T): void {
    this.#change(collection as Collection<unknown>, id, value);
  }

  remove<T>(collection: Collection<T>, id: string): void {
    this.#change(collection as Collection<unknown>, id, undefined);
  }

  #change(collection: Collection<unknown>, id: string, value: unknown): void {
    this.#before.push({ collection, id, value: collection.get(id) });
    collection.apply(id, value);
    this.#changes.set(
      `${collection.name}\n${id}`,
      value === undefined ? [collection.name, id] : [collection.name, id, value],
    );
  }

  /** Undoes every change; used when a handler fails unexpectedly. */
  rollback(): void {
    for (const { collection, id, value } of this.#before.reverse()) collection.apply(id, value);
    this.#before = [];
    this.#changes.clear();
  }

  /** Resolves once the changes are on disk; at once when there are none. */
  commit(): Promise<void> {
    if (this.#changes.size === 0) return Promise.resolve();
    const ops = [...this.#changes.values()];
    this.#changes = new Map();
    this.#before = [];
    return this.#store.write({ ops });
  }
}

export class Store {
  readonly #journal: Journal;
  readonly #collections = new Map<string, Collection<unknown>>();
  #notes: JournalNote[] = [];

  private constructor(journal: Journal) {
    this.#journal = journal;
  }

  /**
   * Opens the journal in a directory, rebuilds the state, and writes it again when most of it is history.
   * @param compactAbove lines up to which the journal is left as it is
   */
  static async open(directory: string, compactAbove = 20_000): Promise<Store> {
    const path = `${directory}/journal.jsonl`;
    const lines = readJournal(path) as Line[];
    const store = new Store(await Journal.open(path));
    for (const line of lines) store.#load(line);
    let values = store.#notes.length;
    for (const collection of store.#collections.values()) values += collection.size;
    if (lines.length > Math.max(compactAbove, values * 1.5)) await store.#journal.replace(store.#snapshot());
    return store;
  }

  #load(line: Line): void {
    for (const [collection, id, value] of line.ops ?? [])
      this.collection<unknown>(collection).apply(id, value);
    if (line.note !== undefined) this.#keep(line.note);
  }

  #keep(note: JournalNote): void {
    this.#notes.push(note);
    if (this.#notes.length > keptNotes * 2) this.#notes = this.#notes.slice(-keptNotes);
  }

  *#snapshot(): Generator<string> {
    for (const collection of this.#collections.values()) {
      for (const [id, value] of collection.entries()) {
        yield JSON.stringify({ ops: [[collection.name, id, value]] } satisfies Line);
      }
    }
    for (const note of this.#notes) yield JSON.stringify({ note } satisfies Line);
  }

  collection<T>(name: string): Collection<T> {
    let found = this.#collections.get(name);
    if (found === undefined) {
      found = new Collection<unknown>(name);
      this.#collections.set(name, found);
    }
    return found as Collection<T>;
  }

  collectionNames(): IterableIterator<string> {
    return this.#collections.keys();
  }

  begin(): Transaction {
    return new Transaction(this);
  }

  write(line: Line): Promise<void> {
    return this.#journal.append(JSON.stringify(line));
  }

  /** Writes down what was asked and answered; the answer does not wait for it. */
  note(note: JournalNote): void {
    this.#keep(note);
    // A journal that cannot be written fails the next commit loudly; a lost note alone harms nobody.
    this.write({ note }).catch(() => undefined);
  }

  notes(): readonly JournalNote[] {
    return this.#notes.slice(-keptNotes);
  }

  /** Empties all collections except those named, on disk too. */
  async clear(keep: readonly string[]): Promise<void> {
    for (const name of [...this.#collections.keys()]) {
      if (keep.includes(name)) continue;
      const collection = this.#collections.get(name);
      for (const [id] of [...(collection?.entries() ?? [])]) collection?.apply(id, undefined);
    }
    this.#notes = [];
    await this.#journal.replace(this.#snapshot());
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
