import { isInnerList, parseDictionary, serializeInnerList, serializeItem } from 'structured-headers';

/** Names in lower case; a field that was sent several times is joined by `, `. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Message {
  readonly headers: Fields;
  readonly body: Uint8Array;
}

export interface RequestMessage extends Message {
  readonly method: string;
  /** The public address, as its sender has it: scheme, authority, path and query, none of them normalized. */
  readonly url: string;
}

export interface ResponseMessage extends Message {
  readonly status: number;
}

export type AnyMessage = RequestMessage | ResponseMessage;

export interface Target {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** With its `?`; undefined where there is none. */
  readonly query: string | undefined;
}

const defaultPorts: ReadonlyMap<string, string> = new Map([
  ['http', ':80'],
  ['https', ':443'],
]);

/** RFC 9421 §2.2: scheme and authority in lower case without the scheme's own port; the path as it was sent, and never empty. */
export function targetOf(url: string): Target {
  const afterScheme = url.indexOf('://');
  if (afterScheme < 0) throw new TypeError('an absolute address is signed');
  const scheme = url.slice(0, afterScheme).toLowerCase();
  const rest = url.slice(afterScheme + 3);
  const end = rest.search(/[/?#]/);
  const host = (end < 0 ? rest : rest.slice(0, end)).toLowerCase();
  const port = defaultPorts.get(scheme) ?? '';
  const authority = port !== '' && host.endsWith(port) ? host.slice(0, -port.length) : host;
  const behind = end < 0 ? '' : rest.slice(end);
  const hash = behind.indexOf('#');
  const shown = hash < 0 ? behind : behind.slice(0, hash);
  const mark = shown.indexOf('?');
  const path = mark < 0 ? shown : shown.slice(0, mark);
  return { scheme, authority, path: path === '' ? '/' : path, query: mark < 0 ? undefined : shown.slice(mark) };
}

export const fieldOf = ({ headers }: Message, name: string): string | undefined => {
  const value = headers[name];
  if (value === undefined || typeof value === 'string') return value;
  return value.join(', ');
};

/** A name of what is covered, as it stands in a list of them, and its value. */
export interface Component {
  readonly name: string;
  /** Of a field that is a dictionary: the member alone. */
  readonly key: string | undefined;
  /** As it begins a line of the base. */
  readonly id: string;
}

/** Undefined where the message has no such thing. */
export function valueOf(message: AnyMessage, { name, key }: Component, target: Target | undefined): string | undefined {
  if (name.startsWith('@')) return derived(message, name, target);
  const field = fieldOf(message, name);
  if (field === undefined) return undefined;
  return key === undefined ? field.trim() : memberOf(field, key);
}

function derived(message: AnyMessage, name: string, target: Target | undefined): string | undefined {
  if ('status' in message) return name === '@status' ? String(message.status) : undefined;
  if (target === undefined) return undefined;
  const { scheme, authority, path, query = '?' } = target;
  switch (name) {
    case '@method':
      return message.method;
    case '@authority':
      return authority;
    case '@path':
      return path;
    case '@query':
      return query;
    case '@scheme':
      return scheme;
    case '@request-target':
      return path + (target.query ?? '');
    case '@target-uri':
      return message.url;
    default:
      return undefined;
  }
}

/** RFC 9421 §2.1.2 */
function memberOf(field: string, key: string): string | undefined {
  if (field.length > 4_000) return undefined;
  try {
    const member = parseDictionary(field).get(key);
    if (member === undefined) return undefined;
    return isInnerList(member) ? serializeInnerList(member) : serializeItem(member);
  } catch {
    return undefined;
  }
}
