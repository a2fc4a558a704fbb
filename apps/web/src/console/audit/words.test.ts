import { expect, it } from 'vitest';
import { actionWords, detailLines, whoActed } from './words.ts';

it.each([
  [{ actor: 'operator:olga@provider.example', user: null }, 'olga@provider.example'],
  [{ actor: 'key:billing', user: null }, 'API key billing'],
  [{ actor: 'cli:root', user: 'mia@x.example' }, 'Command of root'],
  [{ actor: 'Sam Reed', user: 'mia@x.example' }, 'Sam Reed'],
  [{ actor: null, user: 'mia@x.example' }, 'mia@x.example'],
  [{ actor: null, user: null }, 'The user'],
])('says who acted: %j', (event, said) => {
  expect(whoActed(event)).toBe(said);
});

it('says what was and what is once for each thing, then the rest; an unknown action by its name', () => {
  const detail = { 'before.label': 'Old', 'after.label': 'New', 'after.email': null, sessionsEnded: 2 };
  expect(detailLines(detail)).toEqual(['label: Old → New', 'email: nothing → nothing', 'sessionsEnded: 2']);
  expect([actionWords('customer.disabled'), actionWords('new.thing')]).toEqual([
    'Customer disabled',
    'new.thing',
  ]);
});
