import { describe, expect, it } from 'vitest';
import { hasOwnWords, problemOf, withWords, wordsOf } from './mail-draft.ts';

const standard = {
  kind: 'reset',
  placeholders: ['companyName'],
  subject: 'For {companyName}',
  heading: 'Choose',
  text: '',
  button: 'Go',
} as const;
const receipt = { receipt: { heading: 'Thanks' } };
const mail = { ...standard, placeholders: [...standard.placeholders] };

describe('a brand’s own words for a mail', () => {
  it('are those that differ from the standard, and leave other mails alone', () => {
    const own = withWords(receipt, mail, 'heading', 'Pick one');
    expect(own).toEqual({ ...receipt, reset: { heading: 'Pick one' } });
    expect([wordsOf(own, mail, 'heading'), wordsOf(own, mail, 'subject')]).toEqual([
      'Pick one',
      'For {companyName}',
    ]);
    const back = withWords(own, mail, 'heading', 'Choose');
    expect([back, hasOwnWords(own, mail), hasOwnWords(back, mail)]).toEqual([receipt, true, false]);
  });

  it.each([
    ['subject', 'Hello {companyName}', undefined],
    ['subject', 'Hello {company}', { is: 'unknown', name: 'company' }],
    ['heading', '', { is: 'empty' }],
    ['text', '', undefined],
  ] as const)('%s: %j', (name, text, problem) => {
    expect(problemOf(mail, name, text)).toEqual(problem);
  });
});
