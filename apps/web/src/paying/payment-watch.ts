import { PAYMENT_WATCH } from '@counterfoil/contract/paying/public-pay-words.ts';

/** Tells other tabs of this portal that a payment succeeded, and hears it from them. */
export interface PaymentWatch {
  readonly announce: () => void;
  /** @returns the way to stop listening */
  readonly listen: (heard: () => void) => () => void;
}

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>;

/**
 * The cross-tab broadcast 'paymentWatch' (specification, payments §4). It says only that something was paid; each
 * tab asks the server what. A browser without such channels, or one that refuses them, hears nothing.
 */
export function createPaymentWatch(open: () => Channel): PaymentWatch {
  let opened: Channel | null | undefined;
  const channel = (): Channel | null => {
    if (opened === undefined) {
      try {
        opened = open();
      } catch {
        opened = null;
      }
    }
    return opened;
  };
  return {
    announce: () => channel()?.postMessage(PAYMENT_WATCH),
    listen: (heard) => {
      const onMessage = (event: MessageEvent): void => {
        if (event.data === PAYMENT_WATCH) heard();
      };
      channel()?.addEventListener('message', onMessage);
      return () => channel()?.removeEventListener('message', onMessage);
    },
  };
}

/** The channel of this browser. */
export const paymentWatch: PaymentWatch = createPaymentWatch(() => new BroadcastChannel(PAYMENT_WATCH));
