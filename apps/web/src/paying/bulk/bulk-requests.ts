import type { KeyValueStorage } from '../../lib/session/session-store.ts';

/** A bulk payment that Pay was clicked for on this tab. */
export interface BulkRequest {
  /** Random; stands in the address of the page. */
  readonly id: string;
  /** Whose invoices they are. */
  readonly customerId: string;
  readonly invoiceIds: readonly string[];
  /** The server's, once it has priced them. */
  readonly sessionId: string | null;
}

/** The one bulk payment a tab has begun; it outlives a reload and a visit at the bank. */
export interface BulkRequests {
  /** Begins one in place of any other. @returns its id */
  readonly begin: (invoiceIds: readonly string[]) => string;
  /** Undefined for any other id, and for another customer's. */
  readonly find: (id: string | undefined) => BulkRequest | undefined;
  /** Keeps the server's session of the one that has this id. */
  readonly keep: (id: string, sessionId: string) => void;
  /** Nothing is begun any more. */
  readonly reset: () => void;
  /** Paid, failed or not valid: the session is over. @param id of the request or of its session */
  readonly end: (id: string) => void;
}

const key = 'counterfoil.bulkPay';

interface Parts {
  readonly storage: KeyValueStorage;
  /** The customer all calls are about. */
  readonly customerId: string;
  readonly newId: () => string;
}

export function createBulkRequests({ storage, customerId, newId }: Parts): BulkRequests {
  const read = (): BulkRequest | undefined => {
    const found = readRequest(storage.getItem(key));
    return found?.customerId === customerId ? found : undefined;
  };
  const write = (request: BulkRequest) => storage.setItem(key, JSON.stringify(request));
  return {
    begin(invoiceIds) {
      const id = newId();
      write({ id, customerId, invoiceIds, sessionId: null });
      return id;
    },
    find(id) {
      const found = read();
      return found?.id === id ? found : undefined;
    },
    keep(id, sessionId) {
      const found = read();
      if (found?.id === id) write({ ...found, sessionId });
    },
    reset: () => storage.removeItem(key),
    end(id) {
      const found = read();
      if (found?.id === id || found?.sessionId === id) storage.removeItem(key);
    },
  };
}

function readRequest(text: string | null): BulkRequest | undefined {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<Record<keyof BulkRequest, unknown>> | null;
    const { id, customerId, invoiceIds, sessionId } = value ?? {};
    if (typeof id !== 'string' || typeof customerId !== 'string' || !Array.isArray(invoiceIds))
      return undefined;
    const ids = invoiceIds.filter((one) => typeof one === 'string');
    return { id, customerId, invoiceIds: ids, sessionId: typeof sessionId === 'string' ? sessionId : null };
  } catch {
    return undefined;
  }
}
