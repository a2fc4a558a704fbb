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

/** Processor time so far of the server and of every process of its database by process id, milliseconds. */
export function processorTimes(serverPid: number, backendPid: number): ReadonlyMap<string, number> {
  const postmaster = statOf(String(backendPid))?.parent;
  const times = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(pid);
    if (stat !== undefined && (stat.parent === postmaster || pid === String(serverPid)))
      times.set(pid, stat.ms);
  }
  return times;
}

/** The sum of {@link processorTimes}. */
export const processorMs = (serverPid: number, backendPid: number): number =>
  [...processorTimes(serverPid, backendPid).values()].reduce((sum, ms) => sum + ms, 0);
