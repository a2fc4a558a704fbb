import { afterEach, expect, it, vi } from 'vitest';
import { loadLate } from './late-code.ts';

afterEach(() => vi.unstubAllGlobals());

/** A document that notes what is appended, and frames that come when the test says so. */
function stubPage({ drawn = true, hidden = false } = {}) {
  const loaded: string[] = [];
  const frames: (() => void)[] = [];
  const events = new EventTarget();
  vi.stubGlobal('document', {
    hidden,
    querySelector: () => (drawn ? {} : null),
    createElement: (tag: string) => ({ tag }),
    head: {
      append: (element: { href?: string; src?: string }) => loaded.push(element.href ?? element.src ?? ''),
    },
    // Node does not take `true` for `capture` when a listener is removed.
    addEventListener: (type: string, listener: () => void) => events.addEventListener(type, listener),
    removeEventListener: (type: string, listener: () => void) => events.removeEventListener(type, listener),
  });
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('setTimeout', (work: () => void) => work());
  const press = (button: object | null) => {
    const event = Object.assign(new Event('click', { cancelable: true }), {});
    Object.defineProperty(event, 'target', { value: { closest: () => button } });
    events.dispatchEvent(event);
    return event.defaultPrevented;
  };
  loadLate('/entry.js', ['/chunk.js'], ['/next.js']);
  return { loaded, press, nextFrame: () => frames.shift()?.() };
}

it('loads nothing before the first frame of a page that is drawn', () => {
  const { loaded, nextFrame } = stubPage();
  expect(loaded).toEqual([]);
  nextFrame();
  expect(loaded).toEqual(['/chunk.js', '/entry.js', '/next.js']);
});

it.each([{ drawn: false }, { hidden: true }])('loads at once where nobody sees anything: %o', (page) => {
  expect(stubPage(page).loaded).toEqual(['/chunk.js', '/entry.js', '/next.js']);
});

it('keeps presses on buttons until the code takes them, and lets links go', () => {
  const button = {};
  const { press } = stubPage();
  expect([press(button), press(null)]).toEqual([true, false]);
  expect(globalThis.takePresses?.()).toEqual([button]);
  expect(press(button)).toBe(false);
});
