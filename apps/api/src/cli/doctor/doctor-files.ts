import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { othersRights } from '@counterfoil/postgres/data-dir.ts';
import type { Config } from '../../config.ts';
import { closeToOthers } from '../../files/private.ts';
import { type Finding, reasonOf } from './finding.ts';

/** Whether other accounts of this machine can read what is in `DATA_DIR`; what can be closed to them is. */
export function filesFinding({ dataDir }: Pick<Config, 'dataDir'>): Finding {
  const what = 'files';
  try {
    const rights = othersRights(dataDir);
    const exposed = closeToOthers(dataDir);
    const [stuck] = exposed.filter(({ isClosed }) => !isClosed);
    const named = (path: string, mode: string) => `${relative(dataDir, path) || 'DATA_DIR itself'} (${mode})`;
    if (stuck !== undefined) {
      const found = `other accounts can read ${named(stuck.path, stuck.mode)}, whose rights cannot be changed`;
      return { what, is: 'fault', found };
    }
    const count = exposed.length + (rights === 0 ? 0 : 1);
    if (count === 0) return { what, is: 'ok', found: 'no other account can read DATA_DIR' };
    const [first = { path: dataDir, mode: (statSync(dataDir).mode & 0o777).toString(8) }] = exposed;
    const found = `other accounts could read ${count} in DATA_DIR until now, such as ${named(first.path, first.mode)}`;
    return { what, is: 'warning', found };
  } catch (error) {
    return { what, is: 'fault', found: reasonOf(error) };
  }
}
