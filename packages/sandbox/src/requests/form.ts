/** Reads `application/x-www-form-urlencoded` with brackets: `a[b]=x`, `a[0]=x`, `a[]=x`. */
import { ParamFault } from './param-fault.ts';

export type Form = string | FormMap | readonly Form[];
export interface FormMap {
  readonly [name: string]: Form;
}

interface Branch {
  children: Map<string, Branch | string>;
}

const deepest = 8;

/** @throws {ParamFault} on a name used both as a value and as a group, or nested too deeply */
export function decodeForm(text: string): FormMap {
  const root: Branch = { children: new Map() };
  for (const [name, value] of new URLSearchParams(text)) insert(root, name, value);
  return toMap(root);
}

function insert(root: Branch, name: string, value: string): void {
  const [head = ''] = name.split('[', 1);
  const path = [
    head,
    ...[...name.slice(head.length).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? ''),
  ];
  if (path.length > deepest)
    throw new ParamFault('shape', head, `Invalid request: ${head} is nested too deeply`);
  let branch = root;
  for (const [depth, step] of path.entries()) {
    const key = step === '' && depth > 0 ? String(branch.children.size) : step;
    if (depth === path.length - 1) {
      if (branch.children.get(key) instanceof Object) throw new ParamFault('shape', head, 'Invalid hash');
      branch.children.set(key, value);
      return;
    }
    const next = branch.children.get(key);
    if (typeof next === 'string') throw new ParamFault('shape', head, `Invalid string: ${next}`);
    const child = next ?? { children: new Map() };
    branch.children.set(key, child);
    branch = child;
  }
}

function toMap(branch: Branch): FormMap {
  // No prototype: a parameter named __proto__ is a name like any other.
  const map: Record<string, Form> = Object.create(null);
  for (const [name, child] of branch.children) map[name] = typeof child === 'string' ? child : toForm(child);
  return map;
}

function toForm(branch: Branch): Form {
  const names = [...branch.children.keys()];
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) {
    return names
      .sort((left, right) => Number(left) - Number(right))
      .map((name) => {
        const child = branch.children.get(name) ?? '';
        return typeof child === 'string' ? child : toForm(child);
      });
  }
  return toMap(branch);
}

/** A text that is equal for equal parameters, whatever their order. */
export function canonical(form: Form): string {
  if (typeof form === 'string') return JSON.stringify(form);
  if (Array.isArray(form)) return `[${form.map((child: Form) => canonical(child)).join()}]`;
  const map = form as FormMap;
  return `{${Object.keys(map)
    .sort((left, right) => (left < right ? -1 : 1))
    .map((name) => `${JSON.stringify(name)}:${canonical(map[name] ?? '')}`)
    .join()}}`;
}
