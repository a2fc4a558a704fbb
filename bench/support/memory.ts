import { readFileSync } from 'node:fs';

const statusMib = (pid: number | 'self', name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  1024;

/** Resident memory of a process now, MiB. */
export const residentMib = (pid: number): number => statusMib(pid, 'VmRSS');

/** The most resident memory that a process had, MiB. */
export const peakMib = (pid: number | 'self'): number => statusMib(pid, 'VmHWM');
