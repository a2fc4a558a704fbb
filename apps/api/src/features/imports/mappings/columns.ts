import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';

/** Every column a mapping names, in the order it names them, each once. */
export function columnsOf(mapping: UsageMapping): readonly string[] {
  const { startedAt, units, price, kinds, leaveOut } = mapping;
  const optional = [mapping.serviceItem2, mapping.serviceItem3, mapping.costCentre, mapping.agreement];
  return [
    ...new Set([
      startedAt.column,
      units.column,
      ...(typeof units.unit === 'object' ? [units.unit.column] : []),
      ...(mapping.key ?? []),
      ...mapping.accountCodes,
      ...mapping.lines,
      ...mapping.serviceItem,
      ...[...leaveOut, ...kinds.flatMap((kind) => kind.when)].map((condition) => condition.column),
      ...kinds.flatMap(({ recordType }) => ('column' in recordType ? [recordType.column] : [])),
      ...(price === undefined ? [] : [price.column]),
      ...(price?.currencyColumn === undefined ? [] : [price.currencyColumn]),
      ...optional.flatMap((column) => (column === undefined ? [] : [column])),
      ...mapping.checks.map((check) => check.column),
    ]),
  ];
}

/**
 * Where each column stands.
 * @param line of the file that names the columns; null: the mapping itself does
 * @returns positions by name, or a sentence about the first column that is not there
 */
export function positionsOf(
  mapping: UsageMapping,
  names: readonly string[],
  line: number | null,
): ReadonlyMap<string, number> | string {
  const positions = new Map(names.map((name, at) => [name, at] as const));
  const missing = columnsOf(mapping).find((column) => !positions.has(column));
  if (missing === undefined) return positions;
  const where = line === null ? "its own 'csv.columns' do" : `line ${line} of the file does`;
  return `mapping '${mapping.name}' names column '${missing}', which ${where} not have`;
}
