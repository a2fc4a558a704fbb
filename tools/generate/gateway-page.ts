import type { Conformance } from '@counterfoil/gateways/conformance.ts';
import {
  addressSettingsOf,
  configFieldsOf,
  type GatewayManifest,
} from '@counterfoil/gateways/define-gateway.ts';
import type { Entry, MethodKind } from '@counterfoil/gateways/port.ts';

/**
 * `docs/gateways.md`: what each gateway can do and which settings it takes, from the manifests; what is proven of it, and
 * what is not, from its conformance cases.
 * @param conformance by the gateway's id
 */
export function gatewayPage(
  manifests: readonly GatewayManifest[],
  conformance: ReadonlyMap<string, Conformance>,
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
  return `<!-- Written by \`npm run generate\` from the manifests and conformance cases in packages/gateways/src. Not to be edited. -->
# Payment gateways

| Code | Gateway | Payment methods (PCI DSS questionnaire) | Currencies | Refunds | API version |
|---|---|---|---|---|---|
${rows.join('\n')}

${byCode.map((manifest) => `${section(manifest)}\n${proofs(manifest, conformance.get(manifest.id))}`).join('\n')}`;
}

function methods(entry: Readonly<Partial<Record<MethodKind, readonly Entry[]>>>): string {
  return Object.entries(entry)
    .map(([kind, ways]) => `${kind} (${[...new Set(ways.map(({ pci }) => pci))].join(', ')})`)
    .join(', ');
}

function section(manifest: GatewayManifest): string {
  const fields = configFieldsOf(manifest).map(
    ({ name, label, secret, help }) =>
      `| \`${name}\` | ${label} | ${secret ? 'yes' : 'no'} | ${help ?? ''} |`,
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

function proofs(manifest: GatewayManifest, conformance: Conformance | undefined): string {
  const heading = `### ${manifest.displayName}: what is proven, and how`;
  if (conformance === undefined) return `${heading}\n\nNothing yet: there are no conformance cases.\n`;
  const rows = conformance.cases.map(({ number, what, shownBy }) => {
    const tests = shownBy.map(({ file, title }) => `\`${file.replace(testFolder, '')}\`: ${title}`);
    return `| ${number} | ${what} | ${tests.join('; ').replaceAll('|', '\\|')} |`;
  });
  return `${heading}

All of it against the sandbox (\`apps/sandbox\`): a process of its own that speaks API version ${manifest.apiVersion} as the
provider's documentation describes it, and shares nothing with the adapter's reading of the protocol. Tests through
${conformance.judgedBy} judge the sandbox. The adapter passes the contract of all gateways
(\`packages/gateways/src/contract-suite.ts\`) against it. The whole product takes payments through it while it fails in the
ways it can show (\`apps/api/test/payments-faults.test.ts\`: some in each run of the tests, all with \`npm run prove\`);
afterwards the sandbox's journal and the books must say the same.

The cases one by one. \`sandbox/…\` are tests of the sandbox through ${conformance.judgedBy} and plain requests, other names
tests of the adapter, both in \`packages/gateways/src/${manifest.id}\`; \`…-sandbox.test.ts\` are tests of the product over HTTP in
\`apps/api/test\`; \`e2e/…\` run in a browser. \`packages/gateways/src/${manifest.id}/conformance.test.ts\` fails when one of them
is gone or does not run.

| Case | What | Shown by |
|---:|---|---|
${rows.join('\n')}

### ${manifest.displayName}: what is not proven

Until the product has run against the provider's own test service, these rest on its documentation and on what others have
reported:

${conformance.unproven.map((one) => `- ${one}`).join('\n')}

No such run has been recorded. \`counterfoil gateway check\` and \`doctor\` ask the provider whether the keys are good, and no
more. A command that goes through the cases with a provider's own test keys and records the date (\`gateway verify\`) is not
built.
`;
}
