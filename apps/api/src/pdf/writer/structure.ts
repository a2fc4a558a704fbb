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

/** Which element each piece of marked content belongs to, page by page: what the parent tree says. */
export class StructTree implements Marks {
  readonly root = new StructElement('Document');
  private readonly marks: StructElement[][] = [];
  private readonly annotations: {
    readonly element: StructElement;
    readonly ref: Ref;
    readonly page: number;
  }[] = [];

  mark(element: StructElement, page: number): number {
    let marks = this.marks[page];
    if (!marks) {
      marks = [];
      this.marks[page] = marks;
    }
    const mcid = marks.length;
    marks.push(element);
    element.children.push({ page, mcid });
    return mcid;
  }

  /** Ties a link annotation to an element. */
  markAnnotation(element: StructElement, page: number, ref: Ref): void {
    this.annotations.push({ element, ref, page });
    element.children.push({ page, annotation: ref });
  }

  /** Writes the elements and the parent tree. @returns the structure tree root */
  write(file: PdfFile, pages: readonly Ref[]): Ref {
    const rootRef = file.reserve();
    const refs = new Map<StructElement, Ref>();
    const writeElement = (element: StructElement, parent: Ref): Ref => {
      const ref = file.reserve();
      refs.set(element, ref);
      file.object(
        elementBody(element, parent, pages, (child) => writeElement(child, ref)),
        ref,
      );
      return ref;
    };
    const top = writeElement(this.root, rootRef);
    const refOf = (element: StructElement): string => `${refs.get(element) ?? top} 0 R`;
    const entries = pages.map((_, page) => {
      const list = (this.marks[page] ?? []).map(refOf).join(' ');
      return `${page}[${list}]`;
    });
    for (const [index, { element }] of this.annotations.entries()) {
      entries.push(`${pages.length + index} ${refOf(element)}`);
    }
    const parentTree = file.object(`<</Nums[${entries.join(' ')}]>>`);
    const next = pages.length + this.annotations.length;
    file.object(
      `<</Type/StructTreeRoot/K ${top} 0 R/ParentTree ${parentTree} 0 R/ParentTreeNextKey ${next}>>`,
      rootRef,
    );
    return rootRef;
  }
}

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
