import { SaxesParser } from 'saxes';
import { malformed } from './json.ts';

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
 * What a notification says: elements by name, as text, as what they contain, or as a list where they say `type="array"`. No document type is
 * accepted, so no entity but the five of XML is known.
 * @throws Problem `callback_malformed` (400)
 */
export function readNotification(xml: string): Readonly<Record<string, unknown>> {
  const parser = new SaxesParser();
  const root: Open = { name: '', type: undefined, isNil: false, members: [], text: '' };
  const stack = [root];
  let count = 0;
  const refuse = (): never => {
    throw malformed('The payload is no XML of a notification.');
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
  const [[name, notification] = ['', undefined]] = root.members;
  if (name !== 'notification' || typeof notification !== 'object' || notification === null) return refuse();
  return notification as Record<string, unknown>;
}

function valueOf({ type, isNil, members, text }: Open): unknown {
  if (isNil) return null;
  if (type === 'array') return members.map(([, value]) => value);
  // A member of any name, such as __proto__, is only a member.
  return members.length > 0 ? Object.fromEntries(members) : text.trim();
}
