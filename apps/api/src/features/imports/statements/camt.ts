import { type Money, money } from '@counterfoil/domain/money/money.ts';
import { MOST_NAME, MOST_TEXT, type StatementEntry } from '../../bank-entries/service.ts';
import { maxDocumentBytes } from '../invoices/document-bound.ts';
import { decodeXml } from '../text/encoding.ts';
import { readXml, type XmlElement } from '../text/xml.ts';
import { balanceWarning } from './camt-balance.ts';
import { accountAt, all, CamtFault, dayAt, first, isYes, moneyOf, signAt, textAt } from './camt-values.ts';
import { entryKeysOf, meaningful } from './entry-keys.ts';
import { MOST_ENTRIES, type StatementReading, type Unreadable } from './reading.ts';

/** Namespaces of the versions that are read: camt.053.001.02 to camt.053.001.13 (ISO 20022 message definitions). */
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(?:0[2-9]|1[0-3])$/;

/**
 * Families of transactions that take an earlier one back: returned, rejected or reversed (ISO 20022, external bank transaction
 * sub-family codes).
 */
const RETURN_CODES: ReadonlySet<string> = new Set(['RRTN', 'RPCR', 'UPDD', 'PRDD', 'RCDD', 'UPCQ', 'UPCT']);

/**
 * Reads a bank-to-customer statement, camt.053 of ISO 20022.
 * Only entries that are booked are taken. One for a batch becomes as many as it has transactions, where these add up to it.
 * @param bytes the whole file, at most {@link maxDocumentBytes}
 * @returns entries with their faults, each with its line; or why the file is none. Never throws on any input.
 */
export function readCamt(bytes: Uint8Array): StatementReading | Unreadable {
  if (bytes.length > maxDocumentBytes)
    return { line: 1, reason: `larger than ${maxDocumentBytes / 1024 / 1024} MiB` };
  const decoded = decodeXml(bytes);
  if (!decoded.ok) return { line: 1, reason: decoded.reason };
  const xml = readXml(decoded.text);
  if (!xml.ok) return { line: xml.line, reason: xml.reason };
  const { root } = xml;
  const message = root.children.find(({ name }) => name === 'BkToCstmrStmt');
  if (root.name !== 'Document' || !NAMESPACE.test(root.namespace) || message === undefined)
    return { line: root.line, reason: whatElse(root) };
  return readingOf(all(message, 'Stmt'));
}

function whatElse({ namespace, children }: XmlElement): string {
  const message = namespace.split(':').at(-1) ?? '';
  const name = children[0]?.name ?? '';
  if (name === 'BkToCstmrAcctRpt')
    return 'an account report (camt.052), which is not final; send the statement (camt.053)';
  if (name === 'BkToCstmrDbtCdtNtfctn') return 'a notification (camt.054); send the statement (camt.053)';
  return `'${message.slice(0, 60)}' is no bank statement (camt.053.001.02 to .13)`;
}

type Draft = Omit<StatementEntry, 'key'> & { readonly own: string };

function readingOf(statements: readonly XmlElement[]): StatementReading {
  const [entries, faults, warnings]: [StatementEntry[], StatementReading['faults'][number][], string[]] = [
    [],
    [],
    [],
  ];
  let pending = 0;
  for (const statement of statements) {
    const account = accountAt(statement, 'Acct');
    const drafts: Draft[] = [];
    const booked: XmlElement[] = [];
    for (const entry of all(statement, 'Ntry')) {
      // A code of its own since version 08.
      if (textAt(entry, 'Sts/Cd', 'Sts') !== 'BOOK') {
        pending += 1;
        continue;
      }
      booked.push(entry);
      try {
        drafts.push(...draftsOf(account, entry));
      } catch (error) {
        if (!(error instanceof CamtFault)) throw error;
        faults.push({ line: error.line, reason: error.message });
      }
      if (entries.length + drafts.length > MOST_ENTRIES)
        faults.push({ line: entry.line, reason: `more than ${MOST_ENTRIES} entries` });
      if (entries.length + drafts.length > MOST_ENTRIES) break;
    }
    const warning = balanceWarning(statement, booked);
    if (warning !== null) warnings.push(`statement ${textAt(statement, 'Id').slice(0, 40)}: ${warning}`);
    entries.push(...entryKeysOf(drafts));
  }
  if (pending > 0) warnings.push(`${pending} entries are not booked yet and were passed over`);
  return { entries, faults, warnings };
}

/** The entry's transactions, else itself. Nothing for one of no money. */
function draftsOf(account: string, entry: XmlElement): readonly Draft[] {
  const amountElement = first(entry, 'Amt');
  if (amountElement === undefined) throw new CamtFault(entry.line, 'Amt is missing');
  const total = moneyOf(amountElement);
  if (total.minor === 0n) return [];
  const details = all(entry, 'NtryDtls/TxDtls');
  const parts = details.length > 1 ? partsOf(entry, details, total) : null;
  if (parts !== null)
    return parts.flatMap(({ detail, minor }) =>
      minor === 0n
        ? []
        : [
            draftOf(account, entry, {
              details: [detail],
              amount: absolute(minor, total),
              isCredit: minor > 0n,
            }),
          ],
    );
  const batched = Number(textAt(entry, 'NtryDtls/Btch/NbOfTxs'));
  const isSingle = details.length <= 1 && !(batched > 1);
  const isCredit = signAt(entry) === 'credit';
  return [draftOf(account, entry, { details, amount: total, isCredit, isSingle })];
}

const absolute = (minor: bigint, { currency }: Money): Money => money(minor < 0n ? -minor : minor, currency);

/** What each transaction of a batch came to, below nothing for what went out; null where they do not add up to the entry. */
function partsOf(
  entry: XmlElement,
  details: readonly XmlElement[],
  total: Money,
): readonly { readonly detail: XmlElement; readonly minor: bigint }[] | null {
  const ofEntry = signAt(entry);
  const parts: { detail: XmlElement; minor: bigint }[] = [];
  let sum = 0n;
  for (const detail of details) {
    const element =
      first(detail, 'Amt') ?? first(detail, 'AmtDtls/TxAmt/Amt') ?? first(detail, 'AmtDtls/InstdAmt/Amt');
    if (element === undefined) return null;
    const amount = moneyOf(element);
    if (amount.currency !== total.currency) return null;
    const sign = first(detail, 'CdtDbtInd') === undefined ? ofEntry : signAt(detail);
    const minor = sign === 'credit' ? amount.minor : -amount.minor;
    sum += minor;
    parts.push({ detail, minor });
  }
  return sum === (ofEntry === 'credit' ? total.minor : -total.minor) ? parts : null;
}

interface Part {
  readonly details: readonly XmlElement[];
  readonly amount: Money;
  readonly isCredit: boolean;
  readonly isSingle?: boolean;
}

function draftOf(
  account: string,
  entry: XmlElement,
  { details, amount, isCredit, isSingle = true }: Part,
): Draft {
  const [detail = entry] = details;
  const bookedOn = dayAt(entry, 'BookgDt') ?? dayAt(entry, 'ValDt');
  if (bookedOn === undefined) throw new CamtFault(entry.line, 'BookgDt is missing');
  const own = meaningful(textAt(detail, 'Refs/AcctSvcrRef'));
  const ofEntry = meaningful(textAt(entry, 'AcctSvcrRef'));
  const [who, other] = isCredit ? ['Dbtr', 'Cdtr'] : ['Cdtr', 'Dbtr'];
  const name = (role: string) => textAt(detail, `RltdPties/${role}/Nm`, `RltdPties/${role}/Pty/Nm`);
  const isAlone = all(entry, 'NtryDtls/TxDtls').length <= 1;
  return {
    account,
    // Of a batch each transaction may have the reference of the whole.
    own: own !== '' && own !== ofEntry ? own : isAlone ? ofEntry : '',
    sign: isCredit ? 'credit' : 'debit',
    amount,
    bookedOn,
    isReturn: isReturn(entry, detail),
    isSingle,
    bankReference: cutTo(own || ofEntry, MOST_NAME),
    endToEndId: cutTo(meaningful(textAt(detail, 'Refs/EndToEndId')), MOST_NAME),
    creditorReference: cutTo(textAt(detail, 'RmtInf/Strd/CdtrRefInf/Ref'), MOST_NAME),
    remittance: cutTo(remittanceOf(entry, details), MOST_TEXT),
    partyName: cutTo(name(who ?? '') || name(other ?? ''), MOST_NAME),
    partyAccount: accountAt(detail, `RltdPties/${who}Acct`) || accountAt(detail, `RltdPties/${other}Acct`),
    line: detail.line,
  };
}

function isReturn(entry: XmlElement, detail: XmlElement): boolean {
  if (isYes(textAt(entry, 'RvslInd')) || first(detail, 'RtrInf') !== undefined) return true;
  return [entry, detail].some((one) => RETURN_CODES.has(textAt(one, 'BkTxCd/Domn/Fmly/SubFmlyCd')));
}

/** All that says what it was for; banks break lines of free text within words. */
function remittanceOf(entry: XmlElement, details: readonly XmlElement[]): string {
  const said = details.flatMap((detail) =>
    ['RmtInf/Ustrd', 'RmtInf/Strd/RfrdDocInf/Nb', 'RmtInf/Strd/AddtlRmtInf'].flatMap((path) =>
      all(detail, path).map(({ text }) => text),
    ),
  );
  if (said.length > 0) return said.join('\n');
  return [...details.map((detail) => textAt(detail, 'AddtlTxInf')), textAt(entry, 'AddtlNtryInf')]
    .filter((text) => text !== '')
    .join('\n');
}

const cutTo = (text: string, most: number): string => text.slice(0, most).toWellFormed();
