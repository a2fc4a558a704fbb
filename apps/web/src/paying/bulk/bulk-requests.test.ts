import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../lib/session/session-store.ts';
import { createBulkRequests } from './bulk-requests.ts';

function made() {
  let count = 0;
  const storage = memoryStorage();
  const of = (customerId: string) =>
    createBulkRequests({ storage, customerId, newId: () => `id-${++count}` });
  return { storage, of, requests: of('c-1') };
}

describe('a begun bulk payment', () => {
  it('has an id of its own, and outlives a reload with its session [payments.bulk.status-1-id]', () => {
    const { of, requests } = made();
    const id = requests.begin(['i-1', 'i-2']);
    expect(requests.find(id)).toEqual({
      id,
      customerId: 'c-1',
      invoiceIds: ['i-1', 'i-2'],
      sessionId: null,
    });
    requests.keep(id, 's-1');
    expect(of('c-1').find(id)?.sessionId).toBe('s-1');
  });
  it('is found by no other id, not without one, and not for another customer', () => {
    const { of, requests } = made();
    const first = requests.begin(['i-1']);
    const second = requests.begin(['i-2']);
    expect([first, undefined, 'x'].map((id) => requests.find(id))).toEqual([undefined, undefined, undefined]);
    expect(of('c-2').find(second)).toBeUndefined();
  });
  it('ends by its id or by its session', () => {
    const { requests } = made();
    const first = requests.begin(['i-1']);
    requests.end('other');
    expect(requests.find(first)).toBeDefined();
    requests.keep(first, 's-1');
    requests.end('s-1');
    expect(requests.find(first)).toBeUndefined();
    const second = requests.begin(['i-1']);
    requests.end(second);
    expect(requests.find(second)).toBeUndefined();
  });
  it.each(['{', 'null', '7', '[]', '{"id":1}'])('what somebody else left there is none: %s', (text) => {
    const { storage, requests } = made();
    storage.setItem('counterfoil.bulkPay', text);
    expect(requests.find('id-1')).toBeUndefined();
    expect(requests.find(undefined)).toBeUndefined();
  });
});
