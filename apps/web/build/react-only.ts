import { type ESTree, parseSync, Visitor } from 'vite';

/** Put into the document's head by React, wherever they stand; drawn in their place by Preact. */
const inHead = new Set(['title', 'meta', 'link']);

/**
 * Finds what a component's source asks of React and Preact does otherwise without a word. What Preact has not at all
 * fails as a missing export (small-react.ts).
 * @param source of a `.tsx` file
 * @returns what to write in its place; empty where both draw the same
 */
export function reactOnly(source: string, file: string): string[] {
  const found: string[] = [];
  new Visitor({
    JSXOpeningElement({ name, attributes }) {
      const element = source.slice(name.start, name.end);
      const isComponent = /^[A-Z]|\./.test(element);
      if (inHead.has(element))
        found.push(`<${element}> stays where it is drawn: write to the document instead`);
      for (const attribute of attributes) {
        const names = namesOf(attribute);
        if (isComponent && names.includes('ref'))
          found.push(`ref never arrives at <${element}>: pass it under a name of its own`);
        if (names.includes('spellCheck') && isFalse(attribute))
          found.push(`spellCheck={false} of <${element}> is left out: write spellCheck="false"`);
        if (!isComponent && names.some((one) => /^(form)?action$/i.test(one)) && !isText(attribute))
          found.push(`<${element}> takes no function as its action: use onSubmit`);
      }
    },
  }).visit(parseSync(file, source, { lang: 'tsx' }).program);
  return found;
}

type Attribute = ESTree.JSXAttribute | ESTree.JSXSpreadAttribute;

/** Of one attribute, or of all that are written in a spread literal. */
function namesOf(attribute: Attribute): string[] {
  if (attribute.type === 'JSXAttribute')
    return attribute.name.type === 'JSXIdentifier' ? [attribute.name.name] : [];
  if (attribute.argument.type !== 'ObjectExpression') return [];
  return attribute.argument.properties.flatMap((property) =>
    property.type === 'Property' && property.key.type === 'Identifier' ? [property.key.name] : [],
  );
}

const isText = (attribute: Attribute): boolean =>
  attribute.type === 'JSXAttribute' && attribute.value?.type === 'Literal';

const isFalse = (attribute: Attribute): boolean =>
  attribute.type === 'JSXAttribute' &&
  attribute.value?.type === 'JSXExpressionContainer' &&
  attribute.value.expression.type === 'Literal' &&
  attribute.value.expression.value === false;
