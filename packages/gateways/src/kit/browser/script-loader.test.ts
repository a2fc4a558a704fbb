import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadScript } from './script-loader.ts';

interface Script {
  src: string;
  isThere: boolean;
  onload: () => void;
  onerror: () => void;
  remove: () => void;
}
const scripts: Script[] = [];
let api: string | undefined;
const read = () => api;

beforeEach(() => {
  scripts.length = 0;
  api = undefined;
  vi.useFakeTimers();
  vi.stubGlobal('document', {
    createElement: () => {
      const script: Script = {
        src: '',
        isThere: false,
        onload: () => undefined,
        onerror: () => undefined,
        remove: () => {
          script.isThere = false;
        },
      };
      return script;
    },
    head: {
      append: (script: Script) => {
        script.isThere = true;
        scripts.push(script);
      },
    },
  });
});
afterEach(() => void vi.useRealTimers());

const url = (name: string) => `https://provider.example/${name}.js`;

describe('a provider’s script', () => {
  it('is loaded once for all who wait for it, from its own address', async () => {
    const both = Promise.all([loadScript(url('once'), read), loadScript(url('once'), read)]);
    expect(scripts.map(({ src }) => src)).toEqual([url('once')]);
    api = 'there';
    scripts[0]?.onload();
    expect(await both).toEqual(['there', 'there']);
    expect(await loadScript(url('once'), read)).toBe('there');
    expect(scripts).toHaveLength(1);
  });

  it.each([
    ['does not come', () => scripts[0]?.onerror()],
    ['takes too long', () => vi.advanceTimersByTime(30_000)],
    ['brings nothing', () => scripts[0]?.onload()],
  ])('%s: that is told, and the next try starts over', async (what, end) => {
    const first = loadScript(url(what), read).catch(() => 'failed');
    end();
    expect(await first).toBe('failed');
    const second = loadScript(url(what), read);
    expect(scripts).toHaveLength(2);
    api = 'there';
    scripts[1]?.onload();
    expect(await second).toBe('there');
  });

  it('that is late does not end the try that was begun after it', async () => {
    const first = loadScript(url('late'), read).catch(() => 'failed');
    const second = loadScript(url('late'), read, { again: true });
    expect(scripts).toHaveLength(2);
    scripts[0]?.onerror();
    expect(await first).toBe('failed');
    const third = loadScript(url('late'), read);
    expect(scripts).toHaveLength(2);
    api = 'there';
    scripts[1]?.onload();
    expect(await Promise.all([second, third])).toEqual(['there', 'there']);
  });
});
