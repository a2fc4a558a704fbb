import { describe, expect, it } from 'vitest';
import { dataOf, hintOf } from './frame-messages.ts';

const frame = { is: 'the window of the frame' } as unknown as MessageEventSource;
const origins = ['https://hpp.example'];
const message = (over: object = {}) => ({
  source: frame,
  origin: 'https://hpp.example',
  data: '000' as unknown,
  ...over,
});

describe('messages of a provider’s page', () => {
  it('count from its own window and a declared origin only [decisions.8.{frame-origin,frame-window}]', () => {
    expect(dataOf(message(), frame, origins)).toBe('000');
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: 'https://hpp.example.evil.example' },
      { origin: 'http://hpp.example' },
      { origin: 'null' },
      // Another frame of the same provider, this page itself, and nobody.
      { source: { is: 'another window' } as unknown as MessageEventSource },
      { source: null },
    ])
      expect(dataOf(message(foreign), frame, origins)).toBeUndefined();
  });

  it('do not count before there is a frame', () => {
    expect(dataOf(message({ source: null }), null, origins)).toBeUndefined();
    expect(dataOf(message({ source: undefined }), undefined, origins)).toBeUndefined();
  });

  it.each(['000', 'AFS-103', ' 000 '])('%j: what stands here is out of date', (data) => {
    expect(hintOf(data)).toEqual({ is: 'reload' });
  });

  it.each(['005', 'Do not honour', 'AFS-104', '0000'])('%j is a warning', (data) => {
    expect(hintOf(data)).toEqual({ is: 'warning', text: data });
  });

  it.each([[''], ['  '], ['x'.repeat(101)], [{ code: '000' }], [0], [null], [undefined], [['000']]])(
    '%j is nothing',
    (data) => {
      expect(hintOf(data)).toBeUndefined();
    },
  );
});
