import { type GatewayCase, sandboxOnly } from '@counterfoil/gateways/cases/case.ts';
import type { CasesData } from '@counterfoil/gateways/cases/data.ts';
import { everyGateway, operations } from '@counterfoil/gateways/cases/list/operations.ts';
import { casesOf } from '@counterfoil/gateways/cases/list.ts';
import { addressSettingsOf } from '@counterfoil/gateways/port/addresses.ts';
import { configFieldsOf, type GatewayManifest } from '@counterfoil/gateways/port/define-gateway.ts';
import type { Entry, MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import type { ShownCase } from '../ledger/conformance.ts';

/** What is shown of a gateway, and by what; absent where there is nothing yet. */
export interface GatewayProofs {
  readonly casesData?: CasesData;
  /** Its conformance cases, with the tests that show them. */
  readonly shown?: readonly ShownCase[];
}

/**
 * `docs/gateways.md`: what each gateway can do and which settings it takes, from the manifests; what is proven of it, and
 * what is not, from its conformance cases and those of `gateway verify`.
 * @param proven by the gateway's id
 */
export function gatewayPage(
  manifests: readonly GatewayManifest[],
  proven: ReadonlyMap<string, GatewayProofs>,
): string {
  const byCode = [...manifests].sort((a, b) => a.code - b.code);
  const rows = byCode.map((manifest) => {
    const { entry, currencies, refund } = manifest.capabilities;
    return `| ${[
      manifest.code,
      `[${manifest.displayName}](#${manifest.id})`,
      methods(entry),
      currencies === 'any' ? 'any' : currencies.join(', '),
      refund.when === 'never' ? 'no' : refund.partial ? 'whole or part' : 'whole',
      `[${manifest.apiVersion}](${manifest.docs})`,
    ].join(' | ')} |`;
  });
  return `<!-- Written by \`npm run generate\` from the manifests, conformance cases and cases to verify in packages/gateways/src. Not to be edited. -->
# Payment gateways

| Code | Gateway | Payment methods (PCI DSS questionnaire) | Currencies | Refunds | API version |
|---|---|---|---|---|---|
${rows.join('\n')}

${shownThroughAll(byCode)}
${byCode.map((manifest) => `${section(manifest)}\n${proofs(manifest, proven.get(manifest.id) ?? {})}`).join('\n')}`;
}

/** What people do with each gateway: the test that shows it, or why the gateway lacks it. */
function shownThroughAll(manifests: readonly GatewayManifest[]): string {
  const rows = operations.map(({ name, title, lacks }) => {
    const cells = manifests.map((manifest) => {
      const why = lacks(manifest);
      return why === undefined ? 'shown' : `no: ${why}`;
    });
    return `| ${[name, title.replace(': %s', ''), ...cells].join(' | ')} |`;
  });
  return `## <a id="every-gateway"></a>What is shown of each gateway, through the whole server

Tests below \`apps/api/test/paying\` run over every gateway against its sandbox; a new one falls into them by its manifest and its test
data. Afterwards the sandbox's journal and the books must say the same: nothing charged twice, nothing lost, nothing called failed
that was taken.

- \`every-gateway.test.ts\`: the table below, and answers that are lost, late or broken while a method pays, is saved or is refunded.
- \`gateways-killed.test.ts\`: a process is killed before, while and after the gateway acts, and what came of it is found out.
- \`gateway-attacks.test.ts\`: forms prepared for something else, altered callbacks, other amounts and forged webhooks change nothing.
- \`gateway-numbers.test.ts\`: where numbers may pass this server they are in no memory, log, mail, file, table or log of writes afterwards.
- \`gateway-trouble.prove.ts\`: several faults at once.

Some of it in each run of the tests, all with \`npm run prove\`, which prints a table: gateway and fault, how many were asked,
charged, told and booked, and how many a person had to decide.

Each row is one test of \`${everyGateway}\`, skipped only where the manifest gives the reason in the cell.
\`tools/ledger/conformance.test.ts\` fails when one is gone, is skipped otherwise, or does not run over all gateways.

| | Test | ${manifests.map(({ displayName }) => displayName).join(' | ')} |
|---|---|${manifests.map(() => '---|').join('')}
${rows.join('\n')}
`;
}

function methods(entry: Readonly<Partial<Record<MethodKind, readonly Entry[]>>>): string {
  return Object.entries(entry)
    .map(([kind, ways]) => `${kind} (${[...new Set(ways.map(({ pci }) => pci))].join(', ')})`)
    .join(', ');
}

function section(manifest: GatewayManifest): string {
  const fields = configFieldsOf(manifest).map(
    ({ name, label, secret, help }) =>
      `| \`${name}\` | ${label} | ${secret ? 'yes' : 'no'} | ${(help ?? '').replaceAll('|', '\\|')} |`,
  );
  const addresses = addressSettingsOf(manifest).map((setting) => `\`${setting}\``);
  return `## <a id="${manifest.id}"></a>${manifest.displayName}

| Setting | Meaning | Secret | Notes |
|---|---|---|---|
${fields.join('\n')}

Addresses, for proxies and the sandbox: ${addresses.join(', ')}.
`;
}

/** Where the tests are, so that a table can name them shortly. */
const testFolder = /^(packages\/gateways\/src\/[\w-]+|apps\/api\/test)\//;

function proofs(manifest: GatewayManifest, { casesData, shown }: GatewayProofs): string {
  const cases = casesData === undefined ? [] : casesOf(manifest, casesData);
  const proves = (id: string) => casesData?.proves[id] ?? [];
  const heading = `### ${manifest.displayName}: what is proven, and how`;
  const conformance = casesData?.conformance;
  if (conformance === undefined || shown === undefined)
    return `${heading}\n\nNothing yet: there are no conformance cases.\n`;
  const rows = shown.map(({ number, what, shownBy }) => {
    const tests = shownBy.map(({ file, title }) => `\`${file.replace(testFolder, '')}\`: ${title}`);
    const proving = cases
      .filter(({ id, needs }) => needs === undefined && proves(id).includes(number))
      .map(({ id }) => `\`${id}\``);
    const real = proving.length === 0 ? 'sandbox only' : proving.join(', ');
    return `| ${number} | ${what} | ${tests.join('; ').replaceAll('|', '\\|')} | ${real} |`;
  });
  return `${heading}

All of it against the sandbox (\`apps/sandbox\`): a process of its own that speaks API version ${manifest.apiVersion} as the
provider's documentation describes it, and shares nothing with the adapter's reading of the protocol. Tests through
${conformance.judgedBy} judge the sandbox. The adapter passes the ${cases.length} cases of all gateways that
apply to it (\`packages/gateways/src/cases/list.ts\`) against it, and the whole product [what is shown of each
gateway](#every-gateway).

The cases one by one. \`sandbox/…\` are tests of the sandbox through ${conformance.judgedBy} and plain requests, other names
tests of the adapter, both in \`packages/gateways/src/${manifest.id}\`; \`…-sandbox.test.ts\` are tests of the product over HTTP in
\`apps/api/test\`; \`e2e/…\` run in a browser. \`tools/ledger/conformance.test.ts\` fails when one of them
is gone or does not run. The last column names the cases of \`counterfoil gateway verify\` that ask the same of the provider's own
service, whole or in part: as far as that goes without a payer's browser; \`sandbox only\` rests on the sandbox alone.

| Case | What | Shown by | At the provider |
|---:|---|---|---|
${rows.join('\n')}

### ${manifest.displayName}: what is not proven

Until the product has run against the provider's own test service, these rest on its documentation and on what others have
reported:

${conformance.unproven.map((one) => `- ${one}`).join('\n')}

${verifying(manifest, casesData, cases)}`;
}

function verifying(
  { displayName, apiVersion }: GatewayManifest,
  casesData: CasesData | undefined,
  cases: readonly GatewayCase[],
): string {
  const heading = `### ${displayName}: proven at the provider, for one installation`;
  if (casesData === undefined)
    return `${heading}\n\nNot possible yet: there are no cases for \`counterfoil gateway verify\`.\n`;
  return `${heading}

This program is built without access to the provider: no run there is part of it, and until you have made one, what is above
is proven against the sandbox only. \`counterfoil gateway verify --reseller <id>\` makes it with your own test keys
([how](operations.md#verifying-a-gateway)): it drives the adapter through these cases and records the result, which
\`gateway list\` and \`doctor\` show. It counts for API version ${apiVersion} only, and only at the provider's own addresses.
\`gateway check\` merely asks whether the keys are good.

| Case of \`gateway verify\` | What | Of the cases above |
|---|---|---|
${cases
  .filter(({ needs }) => needs === undefined)
  .map(({ id, title }) => `| \`${id}\` | ${title} | ${(casesData.proves[id] ?? []).join(', ')} |`)
  .join('\n')}

Not checked by it:

${[...casesData.notChecked, ...sandboxOnly(cases)].map((one) => `- ${one}`).join('\n')}
`;
}
