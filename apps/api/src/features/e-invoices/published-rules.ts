import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of the machine; no package of the project brings one. */
const JAVA = 'java';
/** Where Debian's package libsaxonhe-java puts the processor. */
const SAXON = '/usr/share/java/Saxon-HE.jar';

/** The published rules as XSLT, by the names under which they are published or compiled. */
export const ruleSets = {
  ubl: ['EN16931-UBL-validation.xslt', 'PEPPOL-EN16931-UBL.xslt'],
  cii: ['EN16931-CII-validation.xslt'],
} as const;

/** The folder if it has all of them and Saxon is installed; docs/e-invoices.md says how. @param folder what `E_INVOICE_RULES` names */
export function rulesFolder(folder: string | undefined): string | undefined {
  if (folder === undefined || !existsSync(SAXON)) return undefined;
  return Object.values(ruleSets)
    .flat()
    .every((file) => existsSync(join(folder, file)))
    ? folder
    : undefined;
}

/**
 * Runs the published rules over documents with Saxon, all in one process a set.
 * @param documents by name
 * @returns by name, the rules that a document breaks; warnings are left aside
 */
export function brokenRules(
  folder: string,
  syntax: keyof typeof ruleSets,
  documents: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, readonly string[]> {
  const work = mkdtempSync(join(tmpdir(), 'e-invoice-rules-'));
  const broken = new Map([...documents.keys()].map((name) => [name, [] as string[]]));
  try {
    const source = join(work, 'in');
    mkdirSync(source);
    for (const [name, content] of documents) writeFileSync(join(source, `${name}.xml`), content);
    for (const [at, rules] of ruleSets[syntax].entries()) {
      const out = join(work, `out-${at}`);
      mkdirSync(out);
      execFileSync(
        JAVA,
        ['-cp', SAXON, 'net.sf.saxon.Transform', `-s:${source}`, `-xsl:${join(folder, rules)}`, `-o:${out}`],
        { stdio: 'ignore' },
      );
      const answers = readdirSync(out);
      if (answers.length !== documents.size) throw new Error(`${rules}: ${answers.length} answers`);
      for (const file of answers)
        broken.get(file.replace(/\.[a-z]+$/, ''))?.push(...failed(readFileSync(join(out, file), 'utf8')));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return broken;
}

/** Names of the fatal assertions that failed, of a report in SVRL. */
function failed(report: string): string[] {
  const asserts = report.match(/<svrl:failed-assert[^>]*>/g) ?? [];
  return asserts
    .filter((text) => !text.includes('flag="warning"'))
    .map((text) => /\bid="([^"]*)"/.exec(text)?.[1] ?? '?');
}
