import { DocumentFonts } from '../fonts/document-fonts.ts';
import { cleanLine } from '../text/clean.ts';
import { TextSetter } from '../text/text-setter.ts';
import { Canvas, fontName } from '../writer/canvas.ts';
import { writeCoreFont, writeExtraFont } from '../writer/fonts.ts';
import { PdfFile, type Ref } from '../writer/pdf-file.ts';
import { elementBody, type Marks, StructElement, type Tag } from '../writer/structure.ts';
import { dateString, num, textString } from '../writer/syntax.ts';
import { sheet, words } from './table-columns.ts';

const producer = 'Counterfoil';
/** Name of the drawing that holds the number of pages, known only at the end. */
export const countName = 'Count';

type Place = 'document' | 'table';

/**
 * A tagged document whose pages are written as they are finished: neither pages nor their structure stay in memory.
 * An element lies on one page.
 */
export class TableBook implements Marks {
  readonly file = new PdfFile();
  readonly set = new TextSetter(new DocumentFonts(), 'en');
  canvas: Canvas;
  private readonly pageRefs: Ref[] = [];
  private readonly pagesRef = this.file.reserve();
  private readonly resources = this.file.reserve();
  private readonly treeRef = this.file.reserve();
  private readonly documentRef = this.file.reserve();
  private readonly tableRef = this.file.reserve();
  /** Elements before the table, and rows of the table, written already. */
  private readonly kids = { document: [] as Ref[], table: [] as Ref[] };
  /** Of the page that is being filled. */
  private marks: StructElement[] = [];
  private open: { readonly element: StructElement; readonly parent: Place }[] = [];
  private readonly parents: string[] = [];

  constructor() {
    this.canvas = this.newPage();
  }

  get pageNumber(): number {
    return this.pageRefs.length;
  }

  mark(element: StructElement, page: number): number {
    element.children.push({ page, mcid: this.marks.length });
    return this.marks.push(element) - 1;
  }

  /** A new element of the document before its table, or row of the table, on this page. */
  element(tag: Tag, parent: Place): StructElement {
    const element = new StructElement(tag);
    this.open.push({ element, parent });
    return element;
  }

  newPage(): Canvas {
    this.pageRefs.push(this.file.reserve());
    this.canvas = new Canvas(this.pageRefs.length - 1, this, sheet.height);
    return this.canvas;
  }

  /** Writes the page that is full. */
  finishPage(): void {
    const index = this.pageRefs.length - 1;
    const refs = new Map<StructElement, Ref>();
    const write = (element: StructElement, parent: Ref): Ref => {
      const ref = this.file.reserve();
      refs.set(element, ref);
      this.file.object(
        elementBody(element, parent, this.pageRefs, (child) => write(child, ref)),
        ref,
      );
      return ref;
    };
    for (const { element, parent } of this.open)
      this.kids[parent].push(write(element, parent === 'table' ? this.tableRef : this.documentRef));
    const marked = this.marks.map((element) => `${refs.get(element) ?? this.tableRef} 0 R`);
    this.parents.push(`${index} ${this.file.object(`[${marked.join(' ')}]`)} 0 R`);
    this.open = [];
    this.marks = [];
    const content = this.file.compressed('', this.canvas.done());
    this.file.object(
      `<</Type/Page/Parent ${this.pagesRef} 0 R/MediaBox[0 0 ${sheet.width} ${sheet.height}]` +
        `/Resources ${this.resources} 0 R/Contents ${content} 0 R/StructParents ${index}/Tabs/S>>`,
      this.pageRefs[index],
    );
  }

  /** Ends the file after its last page. */
  finish(about: {
    readonly title: string;
    readonly author: string;
    readonly at: Date;
    readonly footSize: number;
    readonly footColour: string;
  }): Uint8Array {
    const { file } = this;
    const { footSize } = about;
    const total = new Canvas(0, this, 0);
    total.text(this.set.line(String(this.pageNumber), words), [0, 0], footSize, about.footColour);
    let fonts = '';
    for (const weight of [400, 600] as const) {
      fonts += `/${fontName('core', weight)} ${writeCoreFont(file, weight)} 0 R`;
      const extra = writeExtraFont(file, this.set.fonts.extra(weight));
      if (extra !== undefined) fonts += `/${fontName('extra', weight)} ${extra} 0 R`;
    }
    const fontList = file.object(`<<${fonts}>>`);
    const count = file.compressed(
      `/Type/XObject/Subtype/Form/BBox[0 ${num(-footSize)} 60 ${num(footSize)}]/Resources<</Font ${fontList} 0 R>>`,
      total.done(),
    );
    file.object(`<</Font ${fontList} 0 R/XObject<</${countName} ${count} 0 R>>>>`, this.resources);
    const list = (refs: readonly Ref[]): string => refs.map((ref) => `${ref} 0 R`).join(' ');
    file.object(`<</Type/Pages/Kids[${list(this.pageRefs)}]/Count ${this.pageNumber}>>`, this.pagesRef);
    const hasTable = this.kids.table.length > 0;
    if (hasTable)
      file.object(`<</S/Table/P ${this.documentRef} 0 R/K[${list(this.kids.table)}]>>`, this.tableRef);
    const inDocument = [...this.kids.document, ...(hasTable ? [this.tableRef] : [])];
    file.object(`<</S/Document/P ${this.treeRef} 0 R/K[${list(inDocument)}]>>`, this.documentRef);
    const parentTree = file.object(`<</Nums[${this.parents.join(' ')}]>>`);
    file.object(
      `<</Type/StructTreeRoot/K ${this.documentRef} 0 R/ParentTree ${parentTree} 0 R/ParentTreeNextKey ${this.pageNumber}>>`,
      this.treeRef,
    );
    const root = file.object(
      `<</Type/Catalog/Pages ${this.pagesRef} 0 R/Lang(en)/MarkInfo<</Marked true>>/StructTreeRoot ${this.treeRef} 0 R` +
        '/ViewerPreferences<</DisplayDocTitle true>>>>',
    );
    const date = dateString(about.at.toISOString());
    const info = file.object(
      `<</Title${textString(cleanLine(about.title))}/Author${textString(cleanLine(about.author))}` +
        `/Producer(${producer})/Creator(${producer})/CreationDate${date}/ModDate${date}>>`,
    );
    return file.finish(root, info);
  }
}
