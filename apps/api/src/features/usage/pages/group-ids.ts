/** Which lines or record types groups are of, by the group's number. */
export interface GroupIds {
  /** At least one. @param group below the number of groups */
  of(group: number): readonly string[];
  /** How much memory they take, roughly. */
  readonly bytes: number;
}

/** One id a group, 16 bytes each: a customer may have tens of thousands of lines in every list that is remembered. */
export const idsInBytes = (ids: Buffer): GroupIds => ({
  of: (group) => [uuidOf(ids.toString('hex', 16 * group, 16 * (group + 1)))],
  bytes: ids.byteLength,
});

/** About what an id takes as text, and its place in a list. */
const TEXT_BYTES = 100;

/** Any number of ids a group, for few groups. */
export const idsInLists = (groups: readonly (readonly string[])[]): GroupIds => ({
  of: (group) => groups[group] ?? [],
  bytes: TEXT_BYTES * groups.reduce((sum, ids) => sum + ids.length, 0),
});

const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
