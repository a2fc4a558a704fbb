import { describe, expect, it } from 'vitest';
import { draw } from '../../../pay/prerender.tsx';
import { attemptOf, flowOf, infoOf } from '../test-support.ts';

const config = {
  apiHost: '',
  resellerApiHost: '',
  brand: null,
  passwords: { minLength: 6, rule: 'composition' },
} as const;
const from = { locale: 'en-US', now: '2026-12-04T12:00:00.000Z' };
const drawn = (over: Parameters<typeof infoOf>[0] = {}, more: Partial<typeof from> = {}) =>
  draw(config, { ...from, ...more, payment: infoOf(over) });

describe('the page as the server draws it', () => {
  it('has the amount and the form, and no style attribute the policy would refuse', () => {
    const markup = drawn({ requiredBillingAddress: true });
    expect(markup).toContain('$1,303.42');
    expect(markup).toContain('Card Holder Name');
    expect(markup).not.toContain('style=');
  });

  it('writes figures as this reader does, whoever came before', () => {
    expect(drawn({}, { locale: 'de-DE' })).toContain('$1.303,42');
    expect(drawn()).toContain('$1,303.42');
  });

  it('is overdue by the time it is told', () => {
    expect(drawn()).not.toContain('Overdue');
    expect(drawn({}, { now: '2026-12-06T12:00:00.000Z' })).toContain('Overdue');
  });

  it('escapes what others wrote', () => {
    expect(drawn({ brandName: '<script>x</script>' })).not.toContain('<script>');
  });

  it.each([
    ['a paid one', { invoiceStatus: 11 }],
    ['a credited one', { isCredited: true }],
    ['a void one', { invoiceStatus: 13 }],
    ['one without a gateway', { apiStatus: false, brandSettings: null }],
    ['one whose payment is under way', { attempt: attemptOf('processing') }],
  ])('leaves %s to the browser', (_name, over) => {
    expect(drawn(over)).toBe('');
  });

  it('leaves a link without payment info to the browser', () => {
    expect(draw(config, { ...from, payment: null })).toBe('');
  });
});

describe('a flow that begins with what the page brought', () => {
  it.each([
    ['form', {}],
    ['paid', { invoiceStatus: 11 }],
    ['credited', { isCredited: true }],
    ['misconfigured', { apiStatus: false }],
    ['requiresAction', { attempt: attemptOf('requires_action') }],
  ] as const)('is %s at once and asks nobody', (state, over) => {
    const { flow, seen } = flowOf({});
    void flow.start(infoOf(over));
    expect(flow.view().state).toBe(state);
    expect(seen.details).toBe(0);
  });

  it('asks again when tried again', async () => {
    const { flow, seen } = flowOf({ details: [infoOf()] });
    await flow.start(infoOf({ apiStatus: false }));
    await flow.retry();
    expect([flow.view().state, seen.details]).toEqual(['form', 1]);
  });
});
