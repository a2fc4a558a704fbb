import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesMatching } from '../project-files.ts';

const folder = join(import.meta.dirname, '../../docs/adr');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const records = filesMatching(folder, /^(?!README\.md$)/);

it('decisions are recorded: numbered without a gap, each complete and listed [decisions.0.silent-adr]', () => {
  const index = read('README.md');
  expect(index).toContain('Where the\nspecification is silent, what was built is recorded here too');
  for (const [at, name] of records.entries()) {
    const number = String(at + 1).padStart(4, '0');
    expect(name).toMatch(new RegExp(`^${number}-[a-z0-9-]+\\.md$`));
    expect(index, name).toContain(`](${name})`);
    const text = read(name);
    expect(text, name).toMatch(new RegExp(`^# ${number}: .+\\n\\nStatus: (accepted|proposed|superseded)`));
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    const parts = ['Context', 'Decision', 'Consequences', 'Alternatives'];
    expect(
      sections.filter((title) => parts.includes(title ?? '')),
      name,
    ).toEqual(parts);
  }
});
