const sentinel = /^=\?base64\?(.*)\?=$/s;
const strictBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const visible = /^[\t\x20-\x7e]*$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A mirrored value as its header carries it (MCP 2026-07-28, value encoding): plain visible ASCII, or Base64 of UTF-8
 * between `=?base64?` and `?=`, read strictly. Undefined when the header is malformed.
 */
export function decodeHeader(raw: string): string | undefined {
  const value = raw.trim();
  if (!visible.test(value)) return undefined;
  const encoded = sentinel.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!strictBase64.test(encoded)) return undefined;
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
