import { readdirSync, readFileSync } from 'node:fs';

/** `/proc/<pid>/stat` counts hundredths of a second on every platform that has it. */
const MS_PER_TICK = 10;

/** Parent and processor time of a process; undefined when it is gone. */
function statOf(pid: string): { readonly parent: string; readonly ms: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: fields[1] ?? '', ms: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK };
  } catch {
    return undefined;
  }
}

/** Processor time so far of the server and of every process of its database, milliseconds. */
export function processorMs(serverPid: number, backendPid: number): number {
  const postmaster = statOf(String(backendPid))?.parent;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ofDatabase = pids.map(statOf).filter((stat) => stat !== undefined && stat.parent === postmaster);
  const all = [statOf(String(serverPid)), ...ofDatabase];
  return all.reduce((sum, stat) => sum + (stat?.ms ?? 0), 0);
}
