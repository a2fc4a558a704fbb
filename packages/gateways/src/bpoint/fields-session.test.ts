import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FieldStates } from '../kit/browser/provider-session.ts';
import { loadScript } from '../kit/browser/script-loader.ts';
import { words } from '../kit/browser/words.ts';
import { FieldsSession } from './fields-session.ts';

vi.mock('../kit/browser/script-loader.ts', () => ({ loadScript: vi.fn() }));

type Done = (code: string, data: object) => void;
type Options = { readonly onFormLoaded: (controller: { submit: (done: Done) => void }) => void };

/** The provider's script as far as a session uses it. */
function provider() {
  const setUp = vi.fn((_authkey: string, _options: Options) => undefined);
  const submit = vi.fn((done: Done) => done('success', {}));
  const of = { authkey: { setupIframeFields: setUp, attachPaymentMethod: () => undefined } };
  vi.mocked(loadScript).mockResolvedValue({ token: of, txn: of });
  const load = () => setUp.mock.calls.at(-1)?.[1].onFormLoaded({ submit });
  return { setUp, submit, load };
}

/** Boxes of a page, as far as a session uses them. */
const boxesOf = (session: FieldsSession) =>
  new Map(
    session.fields.map((field) => [
      field,
      { id: '', replaceChildren: () => undefined } as unknown as HTMLElement,
    ]),
  );

async function mounted() {
  const bpoint = provider();
  const session = new FieldsSession('https://bpoint.example/api.js', { authkey: 'ak-1', of: 'token' });
  let states: FieldStates = {};
  session.changed = (now) => {
    states = now;
  };
  const unmount = session.mount(boxesOf(session), false, () => undefined);
  await vi.waitFor(() => expect(bpoint.setUp).toHaveBeenCalled(), 10_000);
  return { ...bpoint, session, unmount, states: () => states };
}

beforeEach(() => void vi.mocked(loadScript).mockReset());

describe('the provider’s inputs', () => {
  it('are put into places of their own, for the auth key of the entry', async () => {
    const { setUp } = await mounted();
    const place = (name: string) => ({
      selector: expect.stringMatching(new RegExp(`^#bpoint-\\d+-${name}$`)),
    });
    expect(setUp).toHaveBeenCalledWith('ak-1', {
      card: {
        number: place('number'),
        expiry: { month: place('month'), year: place('year') },
        cvn: place('cvc'),
        name: place('name'),
      },
      onFormLoaded: expect.any(Function),
    });
  });

  it('cannot be sent before they are there, and are the token once they were', async () => {
    const { session, load, states } = await mounted();
    expect(session.problems()).toEqual([{ field: 'number', text: words.notReady }]);
    expect(await session.submit()).toEqual({ error: words.notReady });
    load();
    expect(states()['number']).toMatchObject({ isReady: true, isComplete: true, error: '' });
    expect(session.problems()).toEqual([]);
    expect(await session.submit()).toEqual({ token: 'ak-1' });
  });

  it.each([
    ['card.number', 'number'],
    ['card.expiry', 'month'],
    ['cvn', 'cvc'],
    ['facility', undefined],
  ])('say what is wrong with %s in its place [payments.bpoint.error.detail]', async (named, field) => {
    const { session, load, submit, states } = await mounted();
    load();
    const message = 'It is not valid';
    submit.mockImplementation((done) =>
      done('error', { message: 'no', details: [{ message, field: named }] }),
    );
    expect(await session.submit()).toEqual({ error: message, ...(field && { field }) });
    if (field !== undefined) expect(states()[field]).toMatchObject({ error: message });
    submit.mockImplementation((done) => done('error', { message: 'no' }));
    expect(await session.submit()).toEqual({ error: 'no' });
  });

  it('that are taken away stay away, and a script that does not come is said [payments.bpoint.error.no-script]', async () => {
    const { session, unmount, load } = await mounted();
    unmount();
    load();
    expect(session.problems()).toHaveLength(1);
    vi.mocked(loadScript).mockRejectedValue(new Error('gone'));
    const failed = await new Promise((resolve) => session.mount(boxesOf(session), true, () => resolve(true)));
    expect(failed).toBe(true);
  });
});
