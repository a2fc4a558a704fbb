import type { Artwork } from '../images/artwork.ts';
import { cleanLine } from '../text/clean.ts';
import { writeBookmarks } from '../writer/bookmarks.ts';
import { fontName } from '../writer/canvas.ts';
import { writeExtraFont } from '../writer/fonts.ts';
import type { PdfFile, Ref } from '../writer/pdf-file.ts';
import { dateString, isoOrEpoch, num, textString } from '../writer/syntax.ts';
import { writeAttachment } from './attachment.ts';
import { logoName } from './letterhead.ts';
import type { Sheet } from './sheet.ts';

const producer = 'Counterfoil';

/** Ends the file: pages that are still open, structure, fonts and description as one file. */
export function writeLetter(sheet: Sheet, logo: Artwork | undefined): Uint8Array {
  const { letter, paper, tree, file, pageRefs } = sheet;
  const title = cleanLine(letter.title);
  const language = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(letter.language) ? letter.language : 'en';
  const pagesRef = file.reserve();
  const resources = writeResources(sheet, file, logo);
  const links = writeLinks(sheet, file);
  sheet.pages.forEach((canvas, index) => {
    const body = sheet.contents.get(index);
    const content = [...(body === undefined ? [] : [body]), file.compressed('', canvas.done())];
    const annotations = links.get(index);
    file.object(
      `<</Type/Page/Parent ${pagesRef} 0 R/MediaBox[0 0 ${paper.width} ${paper.height}]/Resources ${resources} 0 R` +
        `/Contents[${content.map((ref) => `${ref} 0 R`).join(' ')}]/StructParents ${index}/Tabs/S` +
        `${annotations ? `/Annots[${annotations.map((ref) => `${ref} 0 R`).join(' ')}]` : ''}>>`,
      pageRefs[index],
    );
  });
  const kids = pageRefs.map((ref) => `${ref} 0 R`).join(' ');
  file.object(`<</Type/Pages/Kids[${kids}]/Count ${pageRefs.length}>>`, pagesRef);
  const structure = tree.write();
  const author = cleanLine(letter.sender.name);
  const attached =
    letter.attachment === undefined ? undefined : writeAttachment(file, letter.attachment, letter.issuedAt);
  const metadata = file.stream(
    '/Type/Metadata/Subtype/XML',
    xmp(title, author, language, letter.issuedAt, attached?.description),
  );
  // One page is its own outline.
  const outline = pageRefs.length > 1 ? writeBookmarks(file, sheet.bookmarks, pageRefs, paper.height) : '';
  const root = file.object(
    `<</Type/Catalog/Pages ${pagesRef} 0 R/PageLabels<</Nums[0<</S/D>>]>>${outline}/Lang${textString(language)}/MarkInfo<</Marked true>>` +
      `/StructTreeRoot ${structure} 0 R/Metadata ${metadata} 0 R/ViewerPreferences<</DisplayDocTitle true>>${attached?.catalogue ?? ''}>>`,
  );
  const date = dateString(letter.issuedAt);
  const info = file.object(
    `<</Title${textString(title)}/Author${textString(author)}/Producer(${producer})/Creator(${producer})` +
      `/CreationDate${date}/ModDate${date}>>`,
  );
  return file.finish(root, info);
}

function writeResources(sheet: Sheet, file: PdfFile, logo: Artwork | undefined): Ref {
  let fonts = '';
  for (const weight of [400, 600] as const) {
    fonts += `/${fontName('core', weight)} ${sheet.coreFonts[weight]} 0 R`;
    const extra = writeExtraFont(file, sheet.set.fonts.extra(weight));
    if (extra !== undefined) fonts += `/${fontName('extra', weight)} ${extra} 0 R`;
  }
  const pictures = logo ? `/XObject<</${logoName} ${logo.write(file)} 0 R>>` : '';
  return file.object(`<</Font<<${fonts}>>${pictures}>>`);
}

/** Plain web links (12.6.4.7), by page. */
function writeLinks(sheet: Sheet, file: PdfFile): ReadonlyMap<number, readonly Ref[]> {
  const byPage = new Map<number, Ref[]>();
  let key = sheet.pages.length;
  for (const canvas of sheet.pages) {
    for (const { box, address, label, element } of canvas.links) {
      const [x, y, width, height] = box;
      const rectangle = [x, sheet.paper.height - y - height, x + width, sheet.paper.height - y]
        .map(num)
        .join(' ');
      const ref = file.object(
        `<</Type/Annot/Subtype/Link/Rect[${rectangle}]/Border[0 0 0]/F 4/StructParent ${key++}` +
          `/Contents${textString(cleanLine(label))}/A<</S/URI/URI${textString(address)}>>>>`,
      );
      sheet.tree.markAnnotation(element, canvas.page, ref);
      byPage.set(canvas.page, [...(byPage.get(canvas.page) ?? []), ref]);
    }
  }
  return byPage;
}

/** The description that archives and search engines read (ISO 16684-1). */
function xmp(title: string, author: string, language: string, issuedAt: string, more = ''): Uint8Array {
  const xml = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
  const date = isoOrEpoch(issuedAt);
  return Buffer.from(
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
      'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" ' +
      'xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><dc:format>application/pdf</dc:format>' +
      `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${xml(title)}</rdf:li></rdf:Alt></dc:title>` +
      `<dc:creator><rdf:Seq><rdf:li>${xml(author)}</rdf:li></rdf:Seq></dc:creator>` +
      `<dc:language><rdf:Bag><rdf:li>${xml(language)}</rdf:li></rdf:Bag></dc:language>` +
      `<xmp:CreateDate>${date}</xmp:CreateDate><xmp:ModifyDate>${date}</xmp:ModifyDate>` +
      `<xmp:CreatorTool>${producer}</xmp:CreatorTool><pdf:Producer>${producer}</pdf:Producer>` +
      `</rdf:Description>${more}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  );
}
