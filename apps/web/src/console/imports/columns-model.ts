import type {
  EntityMapping,
  ImportColumns,
  ImportKind,
} from '@counterfoil/contract/operator/imports/entity-import.ts';

/** Where a member comes from, as a select says it: nowhere, one value for all rows, or a column by its place. */
export type Source = '' | 'same' | `column ${number}`;

/** What a select shows of a member's source. */
export function sourceOf(
  { columns }: Pick<EntityMapping, 'columns'>,
  header: readonly string[],
  member: string,
): Source {
  const source = columns[member];
  if (source === undefined) return '';
  if ('value' in source) return 'same';
  const at = header.indexOf(source.column);
  return at < 0 ? '' : `column ${at}`;
}

/** The mapping with another source of a member. @param same what stands in all rows, where that is its source */
export function withSource(
  mapping: EntityMapping,
  header: readonly string[],
  member: string,
  source: Source,
  same: string,
): EntityMapping {
  const { [member]: _former, ...others } = mapping.columns;
  if (source === '' || (source === 'same' && same === '')) return { ...mapping, columns: others };
  const column = header[Number(source.slice('column '.length))] ?? '';
  return { ...mapping, columns: { ...others, [member]: source === 'same' ? { value: same } : { column } } };
}

/** What the first row of the file has for a member. */
export function sampleOf(
  { header, samples }: Pick<ImportColumns, 'header' | 'samples'>,
  mapping: EntityMapping,
  member: string,
): string {
  const source = mapping.columns[member];
  if (source === undefined) return '';
  if ('value' in source) return source.value;
  const at = header.indexOf(source.column);
  return samples.map((row) => (row[at] ?? '').trim()).find((cell) => cell !== '') ?? '';
}

/** Members that are needed or have a source first; the others only where all are asked for. */
export const shownMembers = (
  kind: Pick<ImportKind, 'columns'>,
  mapping: EntityMapping,
  isAll: boolean,
): ImportKind['columns'] =>
  kind.columns.filter(({ name, isRequired }) => isAll || isRequired || mapping.columns[name] !== undefined);

/** Columns of the file that nothing takes. */
export const unusedColumns = (mapping: EntityMapping, header: readonly string[]): readonly string[] => {
  const taken = new Set(
    Object.values(mapping.columns).flatMap((one) => ('column' in one ? [one.column] : [])),
  );
  return header.filter((name) => name !== '' && !taken.has(name));
};

/** A name as mappings have it: small letters, digits and hyphens. */
export const mappingName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
