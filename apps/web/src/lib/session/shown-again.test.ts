import { describe, expect, it } from 'vitest';
import { createSessionStore, memoryStorage } from './session-store.ts';
import { type Holder, holderOf, meaningOfReturn } from './shown-again.ts';

const token = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.signature`;

function holder(claims: object | null, customer: string | null): Holder {
  const storage = memoryStorage();
  const store = createSessionStore(storage);
  if (claims !== null) {
    const tokens = { access_token: token(claims), refresh_token: 'r', token_type: 'Bearer' } as const;
    store.saveAuth({ ...tokens, expires_in: 900 });
  }
  if (customer !== null) store.saveCustomerId(customer);
  return holderOf(storage);
}
const ada = holder({ sub: 'ada', exp: 1 }, 'a');

describe('a page that comes back out of the browser’s memory', () => {
  it('stays when the person and the customer are the same, with a renewed token too', () => {
    expect(meaningOfReturn(ada, holder({ sub: 'ada', exp: 2 }, 'a'))).toBeNull();
    expect(meaningOfReturn(holder({ sub: 'ada' }, null), holder({ sub: 'ada' }, null))).toBeNull();
  });
  it('is loaded again for another customer, another person, and support in their name', () => {
    expect(meaningOfReturn(ada, holder({ sub: 'ada' }, 'b'))).toBe('reload');
    expect(meaningOfReturn(ada, holder({ sub: 'ada' }, null))).toBe('reload');
    expect(meaningOfReturn(ada, holder({ sub: 'eve' }, 'a'))).toBe('reload');
    expect(meaningOfReturn(ada, holder({ sub: 'ada', act: { sub: 'sam' } }, 'a'))).toBe('reload');
  });
  it('leads to the sign-in page when nobody is signed in any more', () => {
    expect(meaningOfReturn(ada, holder(null, null))).toBe('signedOut');
  });
});
