import {
  addressSettingsOf,
  configFieldsOf,
  type GatewayManifest,
} from '@counterfoil/gateways/define-gateway.ts';
import type { Entry, MethodKind } from '@counterfoil/gateways/port.ts';

/** `docs/gateways.md`: what each gateway can do and which settings it takes, from the manifests. */
export function gatewayPage(manifests: readonly GatewayManifest[]): string {
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
  return `<!-- Written by \`npm run generate\` from the manifests in packages/gateways/src. Not to be edited. -->
# Payment gateways

| Code | Gateway | Payment methods (PCI DSS questionnaire) | Currencies | Refunds | API version |
|---|---|---|---|---|---|
${rows.join('\n')}

${byCode.map(section).join('\n')}`;
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
