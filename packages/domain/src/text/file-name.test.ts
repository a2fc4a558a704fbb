import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDisposition, safeFileName } from './file-name.ts';

describe('safeFileName', () => {
  it.each([
    ['invoice_2026-03.pdf', 'invoice_2026-03.pdf'],
    ['invoice_A/12\\3.pdf', 'invoice_A_12_3.pdf'],
    ['a:b*c?d"e<f>g|h.csv', 'a_b_c_d_e_f_g_h.csv'],
    ['../../etc/passwd', '__.._etc_passwd'],
    ['.hidden', '_hidden'],
    ['trailing. . ', 'trailing'],
    ['CON.txt', '_CON.txt'],
    ['lpt1', '_lpt1'],
    ['console.txt', 'console.txt'],
    ['a\r\nb\0c', 'a__b_c'],
    ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
    ['Zürich Größe 日本.csv', 'Zürich Größe 日本.csv'],
    ['\ud800.pdf', '_.pdf'],
    ['', '_'],
    ['...', '_'],
  ])('%j becomes %j', (name, expected) => {
    expect(safeFileName(name)).toBe(expected);
  });

  it('cuts long names between characters and keeps the extension', () => {
    const long = safeFileName(`${'ü'.repeat(500)}.pdf`);
    expect(long).toBe(`${'ü'.repeat(98)}.pdf`);
    expect(Buffer.byteLength(safeFileName('😀'.repeat(300)))).toBe(200);
  });

  it('is safe for any text and leaves a safe name alone [decisions.5.file-names]', async () => {
    await fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const name = safeFileName(text);
        expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cs}]|^[. ]|[. ]$/u);
        expect(name).not.toBe('');
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect(safeFileName(name)).toBe(name);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('contentDisposition', () => {
  it('gives a plain and an exact name [decisions.5.file-names-header]', () => {
    expect(contentDisposition('Report Zürich.csv', 'attachment')).toBe(
      'attachment; filename="Report Z_rich.csv"; filename*=UTF-8\'\'Report%20Z%C3%BCrich.csv',
    );
    expect(contentDisposition("it's (50%)!*.pdf", 'inline')).toBe(
      "inline; filename=\"it's (50_)!_.pdf\"; filename*=UTF-8''it%27s%20%2850%25%29%21_.pdf",
    );
  });

  it('cannot be broken out of, and the exact name decodes to the safe one [decisions.5.file-names-header]', async () => {
    const header = /^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''([A-Za-z0-9._~%-]+)$/;
    await fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const match = header.exec(contentDisposition(text, 'attachment'));
        expect(decodeURIComponent(match?.[1] ?? '')).toBe(safeFileName(text));
      }),
      { numRuns: 1000 },
    );
  });
});
