import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { outcomes } from './outcome/outcomes.tsx';
import { PayPage } from './pay-page.tsx';
import { PayShell } from './pay-shell.ts';
import { entered, flowOf, infoOf, type Script } from './test-support.ts';

/** A page whose code that pays comes when the test says so. */
function shellOf(script: Script, drawn = true) {
  const made = flowOf(script);
  const asked: { readonly arrive: () => Promise<void>; readonly lose: () => void }[] = [];
  const open = () =>
    new Promise<{ flow: typeof made.flow; outcomes: typeof outcomes }>((resolve, reject) => {
      asked.push({
        arrive: async () => {
          void made.flow.start(drawn ? infoOf() : undefined);
          resolve({ flow: made.flow, outcomes });
        },
        lose: () => reject(new TypeError('Failed to fetch dynamically imported module')),
      });
    });
  const saved: object[] = [];
  const shell = new PayShell(open, { save: (draft) => saved.push(draft) }, drawn ? infoOf() : undefined);
  const text = () =>
    renderToStaticMarkup(<PayPage flow={shell} outcomes={shell.outcomes} kept={undefined} />)
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
  return { ...made, shell, asked, saved, text };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the page before the code that pays is there', () => {
  it('shows the form the server has drawn, and a press waits and is then sent once', async () => {
    const { shell, asked, seen, text } = shellOf({ pay: [{ status: 'succeeded', reference: 'REF9' }] });
    void shell.load();
    expect(shell.view().state).toBe('form');
    expect(text()).toContain('Pay $1,303.42');
    const paying = shell.submit(entered);
    await soon();
    expect([asked.length, seen.pays.length]).toEqual([1, 0]);
    await asked[0]?.arrive();
    await paying;
    expect([shell.view().state, seen.pays.length]).toEqual(['success', 1]);
    expect(text()).toContain('Payment Successful');
  });

  it('is loading where the server has drawn nothing, and then what the flow says', async () => {
    const { shell, asked } = shellOf({ details: [infoOf({ isCredited: true })] }, false);
    const changed = vi.fn();
    shell.subscribe(changed);
    void shell.load();
    expect(shell.view().state).toBe('loading');
    await asked[0]?.arrive();
    await soon();
    expect(shell.view().state).toBe('credited');
    expect(changed).toHaveBeenCalled();
  });

  it.each([
    ['with the form', true],
    ['while loading', false],
  ])(
    'says %s that nothing was charged when the code does not come, never that a payment failed',
    async (_where, drawn) => {
      const { shell, asked, text } = shellOf({}, drawn);
      void shell.load();
      asked[0]?.lose();
      await soon();
      expect(text()).toMatch(/could not be loaded.* Nothing was charged\. .*Load the page again/);
      expect(text()).not.toMatch(/failed/i);
    },
  );

  it('keeps what was typed for the reload, tries again at the next submission, and then pays', async () => {
    const { shell, asked, seen, saved, text } = shellOf({ pay: [{ status: 'succeeded' }] });
    const first = shell.submit(entered);
    asked[0]?.lose();
    await first;
    expect([saved.length, seen.pays.length]).toEqual([1, 0]);
    const second = shell.submit(entered);
    await asked[1]?.arrive();
    await second;
    expect([shell.view().state, seen.pays.length]).toEqual(['success', 1]);
    expect(text()).not.toContain('could not be loaded');
  });
});
