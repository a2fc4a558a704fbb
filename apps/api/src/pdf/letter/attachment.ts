import { createHash } from 'node:crypto';
import { colourProfile } from '../writer/colour-profile.ts';
import type { PdfFile } from '../writer/pdf-file.ts';
import { dateString, textString } from '../writer/syntax.ts';
import type { LetterAttachment } from './letter.ts';

/** What the catalogue says of an attachment, and what the description does. */
export interface WrittenAttachment {
  readonly catalogue: string;
  readonly description: string;
}

/**
 * Writes the machine-readable form of a letter into its file, as Factur-X 1.0 asks for: a PDF/A-3 (ISO 19005-3) with the
 * document as an associated file that says the same in another form, and a colour space for what is of a device.
 */
export function writeAttachment(
  file: PdfFile,
  { name, content, profile }: LetterAttachment,
  issuedAt: string,
): WrittenAttachment {
  const date = dateString(issuedAt);
  const checksum = createHash('md5').update(content).digest('hex');
  const embedded = file.compressed(
    `/Type/EmbeddedFile/Subtype/text#2Fxml/Params<</Size ${content.length}/ModDate${date}/CreationDate${date}/CheckSum<${checksum}>>>`,
    content,
  );
  const written = textString(name);
  const spec = file.object(
    `<</Type/Filespec/F${written}/UF${written}/Desc${textString('The invoice as data')}/AFRelationship/Alternative` +
      `/EF<</F ${embedded} 0 R/UF ${embedded} 0 R>>>>`,
  );
  const colours = file.compressed('/N 3', colourProfile());
  const intent = file.object(
    `<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB)/DestOutputProfile ${colours} 0 R>>`,
  );
  return {
    catalogue: `/AF[${spec} 0 R]/Names<</EmbeddedFiles<</Names[${written} ${spec} 0 R]>>>>/OutputIntents[${intent} 0 R]`,
    description: describe(name, profile),
  };
}

const EXTENSION = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** PDF/A-3B, and the extension schema by which readers know a Factur-X (Factur-X 1.0, chapter 6). */
function describe(name: string, profile: string): string {
  const properties = [
    ['DocumentFileName', 'The name of the embedded XML document'],
    ['DocumentType', 'The type of the hybrid document in capital letters, such as INVOICE'],
    ['Version', 'The version of the standard that the embedded XML document follows'],
    ['ConformanceLevel', 'The conformance level of the embedded XML document'],
  ].map(
    ([property = '', what = '']) =>
      '<rdf:li rdf:parseType="Resource">' +
      `<pdfaProperty:name>${property}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>` +
      `<pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${what}</pdfaProperty:description>` +
      '</rdf:li>',
  );
  return (
    '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">' +
    '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>' +
    '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" ' +
    'xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">' +
    '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">' +
    '<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>' +
    `<pdfaSchema:namespaceURI>${EXTENSION}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>` +
    `<pdfaSchema:property><rdf:Seq>${properties.join('')}</rdf:Seq></pdfaSchema:property>` +
    '</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>' +
    `<rdf:Description rdf:about="" xmlns:fx="${EXTENSION}"><fx:DocumentType>INVOICE</fx:DocumentType>` +
    `<fx:DocumentFileName>${name}</fx:DocumentFileName><fx:Version>1.0</fx:Version>` +
    `<fx:ConformanceLevel>${profile}</fx:ConformanceLevel></rdf:Description>`
  );
}
