import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { Store } from './store.ts';

const directories: string[] = [];
const newDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
  directories.push(directory);
  return directory;
};
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

const contents = (store: Store) => [...store.collection<number>('c').entries()];

describe('the store', () => {
  it('is the same after a restart, whatever was put, removed and rolled back', async () => {
    const step = fc.tuple(fc.constantFrom('put', 'remove', 'roll back'), fc.nat(5), fc.nat(99));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const directory = newDirectory();
        const store = await Store.open(directory, 10);
        const all = store.collection<number>('c');
        const expected = new Map<string, number>();
        for (const [what, id, value] of steps) {
          const tx = store.begin();
          if (what === 'remove') tx.remove(all, `i${id}`);
          else tx.put(all, `i${id}`, value);
          if (what === 'roll back') tx.rollback();
          else if (what === 'remove') expected.delete(`i${id}`);
          else expected.set(`i${id}`, value);
          await tx.commit();
        }
        expect(new Map(contents(store))).toEqual(expected);
        const newest = [...all.newest()];
        expect(newest.toSorted()).toEqual([...expected.values()].toSorted());
        await store.close();
        const again = await Store.open(directory, 10);
        expect(new Map(contents(again))).toEqual(expected);
        await again.close();
      }),
      { numRuns: 40 },
    );
  });

  it('drops a line cut off by a crash, and refuses a damaged one', async () => {
    const directory = newDirectory();
    const path = join(directory, 'journal.jsonl');
    const store = await Store.open(directory);
    const tx = store.begin();
    tx.put(store.collection<number>('c'), 'a', 1);
    await tx.commit();
    await store.close();
    appendFileSync(path, '{"ops":[["c","b",2');
    const again = await Store.open(directory);
    expect(contents(again)).toEqual([['a', 1]]);
    await again.close();
    expect(readFileSync(path, 'utf8')).not.toContain('"b"');
    writeFileSync(path, 'damaged\n');
    await expect(Store.open(directory)).rejects.toThrow(SyntaxError);
  });

  it('writes itself again when most of the journal is history', async () => {
    const directory = newDirectory();
    const store = await Store.open(directory);
    const all = store.collection<number>('c');
    for (let count = 0; count < 100; count += 1) {
      const tx = store.begin();
      tx.put(all, 'a', count);
      await tx.commit();
    }
    await store.close();
    const again = await Store.open(directory, 50);
    expect(contents(again)).toEqual([['a', 99]]);
    await again.close();
    expect(readFileSync(join(directory, 'journal.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1);
  });
});
