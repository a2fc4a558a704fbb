import { describe, expect, it, vi } from 'vitest';
import { createPaymentWatch } from './payment-watch.ts';

describe('the broadcast of a payment', () => {
  it("is 'paymentWatch', and only that is heard [payments.public.state.broadcast]", () => {
    const target = new EventTarget();
    const postMessage = vi.fn();
    const watch = createPaymentWatch(
      () => Object.assign(target, { postMessage }) as unknown as BroadcastChannel,
    );
    const heard = vi.fn();
    const stop = watch.listen(heard);
    target.dispatchEvent(new MessageEvent('message', { data: 'paymentWatch' }));
    target.dispatchEvent(new MessageEvent('message', { data: 'something else' }));
    expect(heard).toHaveBeenCalledTimes(1);
    stop();
    target.dispatchEvent(new MessageEvent('message', { data: 'paymentWatch' }));
    expect(heard).toHaveBeenCalledTimes(1);
    watch.announce();
    expect(postMessage).toHaveBeenCalledWith('paymentWatch');
  });
  it('does nothing where the browser has no channels', () => {
    const watch = createPaymentWatch(() => {
      throw new Error('refused');
    });
    expect(() => {
      watch.announce();
      watch.listen(() => undefined)();
    }).not.toThrow();
  });
});
