import { SaxesParser } from 'saxes';
const deepest = 20;
const mostElements = 20_000;

interface Open {
  readonly name: string;
  readonly type: string | undefined;
  readonly isNil: boolean;
  readonly members: [name: string, value: unknown][];
  text: string;
}

/**
 * What Braintree says below an element of a name: elements by name, as text, as what they contain, or as a list where they say `type="array"` or
 * several have one name. No document type is accepted, so no entity but the five of XML is known.
 * @throws Error where it is no such document
 */
export function readBraintree(xml: string, of: string): Readonly<Record<string, unknown>> {
  const parser = new SaxesParser();
  const root: Open = { name: '', type: undefined, isNil: false, members: [], text: '' };
  const stack = [root];
  let count = 0;
  const refuse = (): never => {
    throw new Error(`it is no XML of a ${of}`);
  };
  parser.on('doctype', refuse);
  parser.on('error', refuse);
  parser.on('opentag', ({ name, attributes }) => {
    count += 1;
    if (stack.length > deepest || count > mostElements) refuse();
    stack.push({ name, type: attributes['type'], isNil: attributes['nil'] === 'true', members: [], text: '' });
  });
  parser.on('text', (text) => {
    const open = stack.at(-1);
    if (open !== undefined) open.text += text;
  });
  parser.on('closetag', () => {
    const done = stack.pop();
    if (done !== undefined) stack.at(-1)?.members.push([done.name, valueOf(done)]);
  });
  parser.write(xml).close();
  const [[name, said] = ['', undefined]] = root.members;
  if (name !== of || typeof said !== 'object' || said === null) return refuse();
  return said as Record<string, unknown>;
}

function valueOf({ type, isNil, members, text }: Open): unknown {
  if (isNil) return null;
  if (type === 'array') return members.map(([, value]) => value);
  if (members.length === 0) return text.trim();
  const named = new Map<string, unknown[]>();
  for (const [name, value] of members) named.getOrInsertComputed(name, () => []).push(value);
  // A member of any name, such as __proto__, is only a member.
  return Object.fromEntries(
    [...named].map(([name, [first, ...more]]) => [name, more.length === 0 ? first : [first, ...more]]),
  );
}
