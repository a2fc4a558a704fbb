import type { StatsFs } from 'node:fs';

/** With less than this left, a disk counts as full. */
export const ROOM_BYTES = 1_000_000;

/** Bytes that this account can still write; none where the file system has no more files to give. */
export const roomOn = ({ bavail, bsize, files, ffree }: StatsFs): number =>
  files > 0 && ffree === 0 ? 0 : bavail * bsize;
