import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { type QuantityUnit, unitOf } from '@counterfoil/domain/money/quantity.ts';
import { cut, faultOfColumn, faultOfText, maxTextLength } from '../mappings/column-faults.ts';
import { readEpoch, readIso, readLocal } from '../usage/record-time.ts';
import type { RejectedLine, RejectedRow, UsageRow } from '../usage/row.ts';
import { parseScale, type Scale, scaledText } from '../usage/scaled-units.ts';
import type { CsvRow } from './csv.ts';

type Fields = readonly string[];
type Kind = UsageMapping['kinds'][number];
type Condition = UsageMapping['leaveOut'][number];

/** Reads records. @returns the record, why it is none, or null for a row that is to be left out */
export type ReadRow = (row: CsvRow, isDoubtful: boolean) => UsageRow | RejectedLine | RejectedRow | null;

/** Year 10000 in a record's own notation does not exist; a fault has to leave the reader somehow. */
class RowFault extends Error {}

/**
 * Makes the reader of a mapping's records. What can be settled once is settled here: it runs a million times.
 * @param positions of every column the mapping names
 * @param width how many values a record has; null: any number
 */
export function rowReader(
  mapping: UsageMapping,
  positions: ReadonlyMap<string, number>,
  width: number | null,
): ReadRow {
  const at = (column: string): number => positions.get(column) ?? -1;
  const isTrimmed = mapping.format === 'csv' && mapping.csv.trim;
  const fault = (column: string, reason: string): never => {
    const place = mapping.format === 'csv' ? `column ${at(column) + 1} (${column})` : `member '${column}'`;
    throw new RowFault(`${place}: ${reason}`);
  };
  const value = (column: string): ((fields: Fields) => string) => {
    const index = at(column);
    return (fields) => fields[index] ?? '';
  };
  const shortValue = (column: string): ((fields: Fields) => string) => {
    const index = at(column);
    return (fields) => {
      const text = fields[index] ?? '';
      return text.length > maxTextLength ? fault(column, `longer than ${maxTextLength} characters`) : text;
    };
  };
  const orEmpty = (column: string | undefined) => (column === undefined ? () => '' : shortValue(column));

  const isLeftOut = anyOf(mapping.leaveOut.map((condition) => test(condition, value)));
  const time = timeOf(mapping, value, fault);
  const kindOf = chooseKind(mapping, value, fault);
  const codes = mapping.accountCodes.map(shortValue);
  const lines = mapping.lines.map(shortValue);
  const names = mapping.serviceItem.map(shortValue);
  const item2 = orEmpty(mapping.serviceItem2);
  const item3 = orEmpty(mapping.serviceItem3);
  const costCentre = orEmpty(mapping.costCentre);
  const agreement = orEmpty(mapping.agreement);
  const unitsOf = unitsReader(mapping, value, fault);
  const priceOf = priceReader(mapping, value, fault);
  const keyOf = keyReader(mapping, shortValue, fault);
  const checks = mapping.checks.map((check) => ({ ...check, index: at(check.column) }));

  const read = (line: number, fields: Fields): UsageRow | null => {
    if (isLeftOut(fields)) return null;
    const { kind, typeCode, typeDescription, scale, unitIn } = kindOf(fields);
    const { ms, wallMs, text } = time(fields);
    for (const { column, form, mayBeEmpty, index } of checks) {
      const reason = faultOfColumn(fields[index] ?? '', form, mayBeEmpty);
      if (reason !== null) fault(column, reason);
    }
    const itemName = names.map((name) => name(fields)).find((name) => name !== '') ?? '';
    const price = priceOf(fields);
    return {
      line,
      ms,
      wallMs,
      startedText: text,
      itemName,
      service: kind.service,
      typeCode,
      typeDescription,
      accountCodes: codes.map((code) => code(fields)),
      lines: lines.map((number) => number(fields)),
      serviceItem2: item2(fields),
      serviceItem3: item3(fields),
      units: unitsOf(fields, scale),
      unit: unitIn(fields),
      price: price.text,
      currency: price.currency,
      costCentre: costCentre(fields),
      agreement: agreement(fields),
      key: keyOf(fields),
      fields,
    };
  };

  return (row, isDoubtful) => {
    if ('fault' in row) return { line: row.line, reason: row.fault, cause: 'line' };
    const fields = isTrimmed ? row.fields.map((field) => field.trim()) : row.fields;
    try {
      if (width !== null && fields.length !== width)
        throw new RowFault(wrongCount(mapping, fields.length, width, row));
      if (isDoubtful) {
        const bad = fields.findIndex((field) => faultOfText(field) !== null);
        const name = [...positions].find(([, index]) => index === bad)?.[0];
        if (bad >= 0) {
          const place = name === undefined ? `column ${bad + 1}` : `column ${bad + 1} (${name})`;
          throw new RowFault(`${place}: ${faultOfText(fields[bad] ?? '') ?? ''}`);
        }
      }
      return read(row.line, fields);
    } catch (error) {
      if (error instanceof RowFault) {
        const { line, fields: asItStands } = row;
        return { line, reason: error.message, cause: 'mapping', key: null, fields: asItStands, missing: [] };
      }
      throw error;
    }
  };
}

type Value = (column: string) => (fields: Fields) => string;
type Fault = (column: string, reason: string) => never;

const anyOf =
  (tests: readonly ((fields: Fields) => boolean)[]) =>
  (fields: Fields): boolean => {
    for (const holds of tests) if (holds(fields)) return true;
    return false;
  };

function test({ column, is, empty }: Condition, value: Value): (fields: Fields) => boolean {
  const textOf = value(column);
  if (is === undefined) return (fields) => (textOf(fields) === '') === empty;
  const known = new Set(is);
  return (fields) => known.has(textOf(fields));
}

interface ChosenKind {
  readonly kind: Kind;
  readonly typeCode: string;
  readonly typeDescription: string;
  readonly scale: Scale;
  readonly unitIn: (fields: Fields) => QuantityUnit | null;
}

function chooseKind(mapping: UsageMapping, value: Value, fault: Fault): (fields: Fields) => ChosenKind {
  const kinds = mapping.kinds.map((kind) => {
    const tests = kind.when.map((condition) => test(condition, value));
    const { recordType } = kind;
    const fixed = 'column' in recordType ? { code: '', description: '' } : recordType;
    return {
      holds: (fields: Fields) => tests.every((holds) => holds(fields)),
      column: 'column' in recordType ? recordType.column : null,
      typeOf: 'column' in recordType ? value(recordType.column) : null,
      chosen: {
        kind,
        typeCode: fixed.code,
        typeDescription: fixed.description,
        scale: parseScale(kind.scale ?? mapping.units.scale),
        unitIn: unitReader(mapping, kind, value),
      } satisfies ChosenKind,
    };
  });
  const asked = mapping.kinds[0]?.when[0]?.column ?? mapping.startedAt.column;
  const askedValue = value(asked);
  return (fields) => {
    for (const { holds, chosen, column, typeOf } of kinds) {
      if (!holds(fields)) continue;
      if (typeOf === null || column === null) return chosen;
      const text = typeOf(fields);
      if (text === '' || text.length > 100)
        fault(column, 'is empty or longer than 100 characters, and names no record type');
      return { ...chosen, typeCode: text, typeDescription: text };
    }
    return fault(
      asked,
      `'${cut(askedValue(fields))}' is no kind of record that mapping '${mapping.name}' knows`,
    );
  };
}

function timeOf({ startedAt }: UsageMapping, value: Value, fault: Fault) {
  const textOf = value(startedAt.column);
  const { form, column } = startedAt;
  const wanted =
    form === 'local'
      ? 'a date and time (YYYY-MM-DD HH:MM:SS)'
      : form === 'iso'
        ? 'an ISO date and time'
        : 'an epoch time';
  return (fields: Fields): { readonly ms: number | null; readonly wallMs: number; readonly text: string } => {
    const text = textOf(fields);
    if (form === 'local') {
      const wallMs = readLocal(text);
      if (Number.isNaN(wallMs)) fault(column, `'${cut(text)}' is not ${wanted}`);
      return { ms: null, wallMs, text };
    }
    const time = form === 'iso' ? readIso(text) : readEpoch(text, form === 'epoch' ? 1000 : 1);
    if (time === null) return fault(column, `'${cut(text)}' is not ${wanted}`);
    return 'ms' in time ? { ms: time.ms, wallMs: time.ms, text } : { ms: null, wallMs: time.wallMs, text };
  };
}

function unitsReader({ units }: UsageMapping, value: Value, fault: Fault) {
  const textOf = value(units.column);
  return (fields: Fields, scale: Scale): string => {
    const text = textOf(fields);
    if (units.form === 'seconds') {
      const reason = faultOfColumn(text, 'seconds', false);
      if (reason !== null) fault(units.column, reason);
    }
    return (
      scaledText(text === '' ? '0' : text, scale) ??
      fault(
        units.column,
        `'${cut(text)}' is not a plain decimal number of at most 12 digits before the point`,
      )
    );
  };
}

/** What the units of a kind are: a kind that scales them by itself says it itself. */
function unitReader(
  { units }: UsageMapping,
  kind: Kind,
  value: Value,
): (fields: Fields) => QuantityUnit | null {
  const { unit } = kind.unit === undefined && kind.scale === undefined ? units : kind;
  if (typeof unit === 'object') {
    const textOf = value(unit.column);
    return (fields) => unitOf(textOf(fields));
  }
  const isSeconds = units.form === 'seconds' && (kind.scale ?? units.scale) === '1';
  const said = unit ?? (isSeconds ? 'second' : null);
  return () => said;
}

function priceReader({ price }: UsageMapping, value: Value, fault: Fault) {
  if (price === undefined) return () => ({ text: null, currency: '' });
  const textOf = value(price.column);
  const currencyOf = price.currencyColumn === undefined ? () => '' : value(price.currencyColumn);
  const [none, scale] = [new Set(['', ...price.none]), parseScale(price.scale)];
  return (fields: Fields): { readonly text: string | null; readonly currency: string } => {
    const text = textOf(fields);
    if (none.has(text)) return { text: null, currency: '' };
    const scaled =
      scaledText(text, scale) ??
      fault(
        price.column,
        `'${cut(text)}' is not a plain decimal number of at most 12 digits before the point`,
      );
    return { text: scaled, currency: currencyOf(fields).trim().toUpperCase() };
  };
}

function keyReader(mapping: UsageMapping, value: Value, fault: Fault): (fields: Fields) => string {
  const { key } = mapping;
  // In NDJSON the whole line stands last.
  if (key === undefined)
    return mapping.format === 'csv' ? (fields) => JSON.stringify(fields) : (fields) => fields.at(-1) ?? '';
  const values = key.map((column) => value(column));
  const source = mapping.source ?? mapping.name;
  return (fields) => {
    const parts = values.map((textOf) => textOf(fields));
    if (parts.every((part) => part === ''))
      fault(key[0] ?? '', 'is empty, and nothing else names the record');
    return JSON.stringify([source, ...parts]);
  };
}

function wrongCount({ csv }: UsageMapping, count: number, width: number, row: CsvRow): string {
  const hint = csv.hints[`${count}`];
  const cutOff = 'isOpen' in row && count < width ? '; the file seems cut off' : '';
  return `${count} columns instead of ${width}${cutOff}${hint === undefined ? '' : `; ${hint}`}`;
}
