import type { Identifier, ImportedAddress, ImportedParty } from '../invoices/imported-invoice.ts';
import type { XmlElement } from '../text/xml.ts';
import { all, DocumentFault, first, textAt, textOf } from './values.ts';

/**
 * Supplier or buyer of a cross industry invoice.
 * @param agreement the element that holds both
 * @throws {DocumentFault} when it is missing or has neither name nor number
 */
export function ciiPartyAt(
  agreement: XmlElement,
  role: 'SellerTradeParty' | 'BuyerTradeParty',
): ImportedParty {
  const party = first(agreement, `ram:${role}`);
  if (party === undefined) throw new DocumentFault(agreement.line, `${role} is missing`);
  const organisation = first(party, 'ram:SpecifiedLegalOrganization');
  const legalName = textAt(party, 'ram:Name');
  const tradingName = organisation === undefined ? null : textAt(organisation, 'ram:TradingBusinessName');
  const name = tradingName ?? legalName;
  const endpoint = identifiersAt(party, 'ram:URIUniversalCommunication/ram:URIID')[0] ?? null;
  const legalId = organisation === undefined ? null : (identifiersAt(organisation, 'ram:ID')[0] ?? null);
  if (name === null && endpoint === null && legalId === null)
    throw new DocumentFault(party.line, `${role} has neither a name nor a number`);
  // A number with a scheme stands for the one without: as in UBL, that has one member for both (BT-29, BT-46).
  const global = identifiersAt(party, 'ram:GlobalID');
  return {
    endpoint,
    identifiers: global.length > 0 ? global : identifiersAt(party, 'ram:ID'),
    legalId,
    taxId: taxIdOf(party),
    name: name ?? endpoint?.id ?? legalId?.id ?? '',
    legalName,
    address: addressOf(first(party, 'ram:PostalTradeAddress')),
    email: textAt(party, 'ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID'),
    phone: textAt(party, 'ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber'),
  };
}

function identifiersAt(from: XmlElement, path: string): readonly Identifier[] {
  return all(from, path).flatMap((element) => {
    const id = textOf(element);
    return id === null ? [] : [{ scheme: element.attributes.get('schemeID') ?? '', id }];
  });
}

/** The number for value added tax (`VA`), not the one of the local tax office (`FC`). */
const taxIdOf = (party: XmlElement): string | null =>
  identifiersAt(party, 'ram:SpecifiedTaxRegistration/ram:ID').find(({ scheme }) => scheme === 'VA')?.id ??
  null;

function addressOf(address: XmlElement | undefined): ImportedAddress {
  if (address === undefined) return { lines: [], city: null, postalCode: null, region: null, country: null };
  const lines = ['ram:LineOne', 'ram:LineTwo', 'ram:LineThree'];
  return {
    lines: lines.flatMap((path) => textAt(address, path) ?? []),
    city: textAt(address, 'ram:CityName'),
    postalCode: textAt(address, 'ram:PostcodeCode'),
    region: textAt(address, 'ram:CountrySubDivisionName'),
    country: textAt(address, 'ram:CountryID'),
  };
}
