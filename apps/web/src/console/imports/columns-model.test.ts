import { entityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { expect, it } from 'vitest';
import { mappingName, sampleOf, shownMembers, sourceOf, unusedColumns, withSource } from './columns-model.ts';

const header = ['Nr', 'Firma', 'seit'];
const mapping = entityMapping.parse({
  entity: 'customers',
  columns: { reference: { column: 'Nr' }, country: { value: 'DE' } },
});

it('a member comes from a column, from nowhere or is the same in all rows', () => {
  expect(['reference', 'country', 'label'].map((member) => sourceOf(mapping, header, member))).toEqual([
    'column 0',
    'same',
    '',
  ]);
  const next = withSource(mapping, header, 'label', 'column 1', '');
  expect(next.columns['label']).toEqual({ column: 'Firma' });
  expect(unusedColumns(next, header)).toEqual(['seit']);
  expect(withSource(next, header, 'label', '', '').columns).toEqual(mapping.columns);
  expect(withSource(mapping, header, 'country', 'same', '').columns).toEqual({ reference: { column: 'Nr' } });
  const file = {
    header,
    samples: [
      ['', 'A'],
      ['7', 'B'],
    ],
  };
  expect(['reference', 'country', 'label'].map((member) => sampleOf(file, next, member))).toEqual([
    '7',
    'DE',
    'A',
  ]);
});

it('shows what is needed or known first, and makes a name that mappings may have', () => {
  const column = (name: string, isRequired: boolean) => ({
    name,
    isRequired,
    meaning: '',
    form: 'text' as const,
    choices: [],
    example: '',
  });
  const columns = [
    column('reference', true),
    column('email', false),
    column('country', false),
    column('label', true),
  ];
  const shown = (isAll: boolean) => shownMembers({ columns }, mapping, isAll).map(({ name }) => name);
  expect(shown(false)).toEqual(['reference', 'country', 'label']);
  expect(shown(true)).toHaveLength(4);
  expect(mappingName(' Export of the CRM (2026) ')).toBe('export-of-the-crm-2026');
});
