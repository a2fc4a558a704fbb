import { describe, expect, it } from 'vitest';
import { isMenuShown } from './is-menu-shown.ts';

const shown = (payments: { enabled?: boolean; paymentType?: number; hides?: boolean }, isSuperUser = false) =>
  isMenuShown({
    settings: {
      payments: {
        enabled: payments.enabled ?? true,
        paymentType: payments.paymentType ?? 1,
        hidePaymentTypesForCustomerUsers: payments.hides ?? false,
      },
    },
    isSuperUser,
  });

describe('Payment Types', () => {
  it.each([1, 2, 4, 5, 6, 8, 10, 12])(
    'is shown for provider type %i, even where the reseller hides it [payments.methods.menu.codes]',
    (paymentType) => {
      expect(shown({ paymentType, hides: true })).toBe(true);
    },
  );
  it.each([3, 7, 9, 11, 13])(
    'is shown for provider type %i only where the reseller does not hide it [payments.methods.menu.reseller-charge]',
    (paymentType) => {
      expect(shown({ paymentType })).toBe(true);
      expect(shown({ paymentType, hides: true })).toBe(false);
    },
  );
  it('is shown to a super user all the same [payments.methods.menu.super-user]', () => {
    expect(shown({ paymentType: 99, hides: true }, true)).toBe(true);
  });
  it('is hidden where payments are off, from everybody [payments.methods.menu.payments-off]', () => {
    expect(shown({ enabled: false })).toBe(false);
    expect(shown({ enabled: false }, true)).toBe(false);
  });
  it('is hidden without a gateway (code 0), from everybody [payments.methods.menu.code-0]', () => {
    expect(shown({ paymentType: 0 })).toBe(false);
    expect(shown({ paymentType: 0 }, true)).toBe(false);
  });
});
