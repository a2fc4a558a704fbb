import type { PdfFile, Ref } from './pdf-file.ts';
import { textString } from './syntax.ts';

/** Standard structure types (ISO 32000-1, 14.8.4) that our documents use. */
export type Tag =
  | 'Document'
  | 'H1'
  | 'H2'
  | 'P'
  | 'Figure'
  | 'Link'
  | 'Table'
  | 'Caption'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Note';

/** Marked content of a page, or an annotation, that belongs to an element. */
type Kid =
  | { readonly page: number; readonly mcid: number }
  | { readonly page: number; readonly annotation: Ref };

/** An element of the logical structure: what a screen reader reads, in this order. */
export class StructElement {
  readonly tag: Tag;
  /** Further entries of its dictionary, already in PDF syntax. */
  readonly entries: string;
  readonly children: (StructElement | Kid)[] = [];
  /** Its number in the file, once something points to it. */
  ref: Ref | undefined;
  /** In the file already, with all below it. */
  isWritten = false;

  constructor(tag: Tag, entries = '') {
    this.tag = tag;
    this.entries = entries;
  }

  add(tag: Tag, entries = ''): StructElement {
    const child = new StructElement(tag, entries);
    this.children.push(child);
    return child;
  }
}

export const scopeColumn = '/A<</O/Table/Scope/Column>>';
export const scopeRow = '/A<</O/Table/Scope/Row>>';
export const altText = (text: string): string => `/Alt${textString(text)}`;

/** Keeps which element each piece of marked content belongs to. */
export interface Marks {
  /** Ties the next marked content of a page to an element. @returns its number on that page */
  mark(element: StructElement, page: number): number;
}

/**
 * Which element each piece of marked content belongs to, page by page: what the parent tree says. Elements and pages that
 * are complete can be written at once, so that a long document does not stay in memory.
 */
export class StructTree implements Marks {
  readonly root = new StructElement('Document');
  private readonly file: PdfFile;
  private readonly rootRef: Ref;
  /** Numbers of the pages, as they come to be. */
  private readonly pages: readonly Ref[];
  private readonly marks: Ref[][] = [];
  /** Entries of the parent tree of finished pages. */
  private readonly finished = new Map<number, Ref>();
  private readonly annotations: { readonly element: StructElement; readonly ref: Ref }[] = [];

  constructor(file: PdfFile, pages: readonly Ref[]) {
    this.file = file;
    this.pages = pages;
    this.rootRef = file.reserve();
  }

  mark(element: StructElement, page: number): number {
    let marks = this.marks[page];
    if (!marks) {
      marks = [];
      this.marks[page] = marks;
    }
    element.children.push({ page, mcid: marks.length });
    return marks.push(this.refOf(element)) - 1;
  }

  /** Ties a link annotation to an element. */
  markAnnotation(element: StructElement, page: number, ref: Ref): void {
    this.annotations.push({ element, ref });
    element.children.push({ page, annotation: ref });
  }

  /** Writes an element and all below it: nothing is added to it any more. */
  flush(element: StructElement, parent: StructElement): void {
    this.writeElement(element, this.refOf(parent));
    element.children.length = 0;
  }

  /** Nothing is drawn on a page any more but what is no part of the text. */
  finishPage(page: number): void {
    this.finished.set(page, this.file.object(listOf(this.marks[page] ?? [])));
    delete this.marks[page];
  }

  /** Writes what is left and the parent tree. @returns the structure tree root */
  write(): Ref {
    const { file, pages, rootRef } = this;
    const top = this.writeElement(this.root, rootRef);
    const entries = pages.map((_, page) => {
      const ref = this.finished.get(page);
      return ref === undefined ? `${page}${listOf(this.marks[page] ?? [])}` : `${page} ${ref} 0 R`;
    });
    for (const [index, { element }] of this.annotations.entries()) {
      entries.push(`${pages.length + index} ${this.refOf(element)} 0 R`);
    }
    const parentTree = file.object(`<</Nums[${entries.join(' ')}]>>`);
    const next = pages.length + this.annotations.length;
    file.object(
      `<</Type/StructTreeRoot/K ${top} 0 R/ParentTree ${parentTree} 0 R/ParentTreeNextKey ${next}>>`,
      rootRef,
    );
    return rootRef;
  }

  private refOf(element: StructElement): Ref {
    element.ref ??= this.file.reserve();
    return element.ref;
  }

  private writeElement(element: StructElement, parent: Ref): Ref {
    const ref = this.refOf(element);
    if (element.isWritten) return ref;
    element.isWritten = true;
    const body = elementBody(element, parent, this.pages, (child) => this.writeElement(child, ref));
    return this.file.object(body, ref);
  }
}

const listOf = (refs: readonly Ref[]): string => `[${refs.map((ref) => `${ref} 0 R`).join(' ')}]`;

/**
 * The dictionary of an element.
 * @param writeChild writes a child and says its number
 */
export function elementBody(
  element: StructElement,
  parent: Ref,
  pages: readonly Ref[],
  writeChild: (child: StructElement) => Ref,
): string {
  const home = element.children.find((child): child is Kid => !(child instanceof StructElement))?.page;
  const kids = element.children.map((child) => {
    if (child instanceof StructElement) return `${writeChild(child)} 0 R`;
    const page = child.page === home ? '' : `/Pg ${pages[child.page] ?? 0} 0 R`;
    if ('annotation' in child) return `<</Type/OBJR${page}/Obj ${child.annotation} 0 R>>`;
    return page === '' ? String(child.mcid) : `<</Type/MCR${page}/MCID ${child.mcid}>>`;
  });
  const place = home === undefined ? '' : `/Pg ${pages[home] ?? 0} 0 R`;
  const list = kids.length === 1 ? ` ${kids[0]}` : `[${kids.join(' ')}]`;
  return `<</S/${element.tag}/P ${parent} 0 R${place}${element.entries}/K${list}>>`;
}
