import { createPace } from '@steward/kernel';
import { SaxesParser } from 'saxes';
import { stretch } from './statement.ts';

/** An element by its local name, with its text and the line it begins on. Attributes by name. */
export interface Element {
  readonly line: number;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

const deepest = 40;
const mostElements = 500_000;
/** Many more than any of camt.053's, of which most have none; a tag is handled in one go with all it has. */
const mostAttributes = 50;

/**
 * Reads XML without ever looking at a document type: no entity but the five of XML is known, none is fetched.
 * @throws Error for what is not well-formed, has a document type, is too deep, or has a tag of too many attributes
 */
export async function readXml(source: string): Promise<Element> {
  const parser = new SaxesParser({ xmlns: true });
  const root = { line: 1, name: '', attributes: {}, children: [] as Element[], text: '' };
  const stack: { line: number; name: string; attributes: Record<string, string>; children: Element[]; text: string }[] =
    [root];
  let [count, attributesOfTag] = [0, 0];
  parser.on('doctype', () => {
    throw new Error('a document type is not accepted');
  });
  parser.on('opentagstart', () => {
    attributesOfTag = 0;
  });
  parser.on('attribute', () => {
    attributesOfTag += 1;
    if (attributesOfTag > mostAttributes) throw new Error(`a tag has more than ${mostAttributes} attributes`);
  });
  parser.on('opentag', (tag) => {
    count += 1;
    if (stack.length > deepest || count > mostElements) throw new Error('the document is too deep or too long');
    const attributes = Object.fromEntries(Object.values(tag.attributes).map(({ local, value }) => [local, value]));
    stack.push({ line: parser.line, name: tag.local, attributes, children: [], text: '' });
  });
  parser.on('text', (text) => {
    const top = stack.at(-1);
    if (top !== undefined) top.text += text;
  });
  parser.on('closetag', () => {
    const done = stack.pop();
    if (done !== undefined) stack.at(-1)?.children.push({ ...done, text: done.text.trim() });
  });
  const pace = createPace();
  for (let from = 0; from < source.length; from += stretch) {
    if (pace.due()) await pace.rest();
    parser.write(source.slice(from, from + stretch));
  }
  parser.close();
  const [top] = root.children;
  if (top === undefined) throw new Error('there is no element in it');
  return top;
}

/** The first element down a path of names; undefined where a step is missing. */
export const at = (from: Element | undefined, ...path: readonly string[]): Element | undefined =>
  path.reduce<Element | undefined>((here, name) => here?.children.find((child) => child.name === name), from);

export const all = (from: Element | undefined, name: string): readonly Element[] =>
  from?.children.filter((child) => child.name === name) ?? [];

export const textAt = (from: Element | undefined, ...path: readonly string[]): string | undefined => {
  const text = at(from, ...path)?.text;
  return text === '' ? undefined : text;
};
