import type { Identifier, ImportedAddress, ImportedParty } from '../invoices/imported-invoice.ts';
import type { XmlElement } from '../text/xml.ts';
import { all, DocumentFault, first, textAt, textOf } from './values.ts';

/**
 * Supplier or buyer.
 * @param document the invoice or credit note
 * @param role the element that holds the party
 * @throws {DocumentFault} when it is missing or has neither name nor number
 */
export function partyAt(
  document: XmlElement,
  role: 'AccountingSupplierParty' | 'AccountingCustomerParty',
): ImportedParty {
  const party = first(document, `cac:${role}/cac:Party`);
  if (party === undefined) throw new DocumentFault(document.line, `${role} is missing`);
  const legalName = textAt(party, 'cac:PartyLegalEntity/cbc:RegistrationName');
  const name = textAt(party, 'cac:PartyName/cbc:Name') ?? legalName;
  const endpoint = identifierAt(party, 'cbc:EndpointID');
  const legalId = identifierAt(party, 'cac:PartyLegalEntity/cbc:CompanyID');
  if (name === null && endpoint === null && legalId === null) {
    throw new DocumentFault(party.line, `${role} has neither a name nor a number`);
  }
  return {
    endpoint,
    identifiers: all(party, 'cac:PartyIdentification/cbc:ID').flatMap(
      (element) => identifierOf(element) ?? [],
    ),
    legalId,
    taxId: taxIdOf(party),
    name: name ?? endpoint?.id ?? legalId?.id ?? '',
    legalName,
    address: addressOf(first(party, 'cac:PostalAddress')),
    email: textAt(party, 'cac:Contact/cbc:ElectronicMail'),
    phone: textAt(party, 'cac:Contact/cbc:Telephone'),
  };
}

function identifierAt(from: XmlElement, path: string): Identifier | null {
  const element = first(from, path);
  return element === undefined ? null : identifierOf(element);
}

function identifierOf(element: XmlElement): Identifier | null {
  const id = textOf(element);
  return id === null ? null : { scheme: element.attributes.get('schemeID') ?? '', id };
}

function taxIdOf(party: XmlElement): string | null {
  const schemes = all(party, 'cac:PartyTaxScheme');
  const vat = schemes.find((scheme) => textAt(scheme, 'cac:TaxScheme/cbc:ID') === 'VAT');
  return vat === undefined ? null : textAt(vat, 'cbc:CompanyID');
}

function addressOf(address: XmlElement | undefined): ImportedAddress {
  if (address === undefined) return { lines: [], city: null, postalCode: null, region: null, country: null };
  const lines = ['cbc:StreetName', 'cbc:AdditionalStreetName', 'cac:AddressLine/cbc:Line'];
  return {
    lines: lines.flatMap((path) => textAt(address, path) ?? []),
    city: textAt(address, 'cbc:CityName'),
    postalCode: textAt(address, 'cbc:PostalZone'),
    region: textAt(address, 'cbc:CountrySubentity'),
    country: textAt(address, 'cac:Country/cbc:IdentificationCode'),
  };
}
