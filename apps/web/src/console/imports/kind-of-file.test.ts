import { expect, it } from 'vitest';
import { kindOfFile } from './kind-of-file.ts';

it.each([
  ['calls.csv', 'text/csv'],
  ['Master.CSV', 'text/csv'],
  ['calls.2026.ndjson', 'application/x-ndjson'],
  ['INV-1.xml', 'application/xml'],
  ['INV-1.pdf', 'application/pdf'],
  ['calls.csv.gz', 'application/gzip'],
  ['calls', 'application/octet-stream'],
])('sends %s as %s', (name, type) => expect(kindOfFile(name)).toBe(type));
