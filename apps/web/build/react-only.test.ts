import { expect, it } from 'vitest';
import { reactOnly } from './react-only.ts';

it.each([
  ['a ref for a component', '<TextInput ref={field} />', ['ref never arrives at <TextInput>']],
  ['a ref among other properties', '<ui.Box {...{ id, ref: field }} />', ['ref never arrives at <ui.Box>']],
  ['no spell check', '<TextInput spellCheck={false} />', ['spellCheck={false} of <TextInput> is left out']],
  ['an element of the head', '<p><meta name="robots" /></p>', ['<meta> stays where it is drawn']],
  ['a form that calls its action', '<form action={send} />', ['<form> takes no function as its action']],
] as const)('says what Preact does otherwise: %s', (_what, drawn, faults) => {
  const found = reactOnly(`export const Part = () => ${drawn};`, 'part.tsx');
  expect(found).toEqual(faults.map((fault) => expect.stringContaining(fault)));
});

it('lets pass what both draw alike', () => {
  const source = `
    export const Part = ({ field, value }: { field: React.Ref<HTMLInputElement>; value: string }) => (
      <form ref={form} action="/pay" onSubmit={send}>
        <input ref={field} value={value} spellCheck="false" />
        <TextInput inputRef={field} {...{ value }} {...rest} />
      </form>
    );`;
  expect(reactOnly(source, 'part.tsx')).toEqual([]);
});
