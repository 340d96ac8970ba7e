/**
 * The text of a file that a person chose. Banks and shops export UTF-8 or UTF-16 with a mark, and often the letters of Windows without one:
 * what is no UTF-8 is read as Shift_JIS where that makes Japanese of it, and else as windows-1252, of which ISO-8859-1 is a part to a browser.
 */
export async function textOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const japanese = (): string | undefined => {
    const text = decoded('shift_jis', bytes);
    return text !== undefined && ours.test(text) ? text : undefined;
  };
  return decoded('utf-8', bytes) ?? japanese() ?? new TextDecoder('windows-1252').decode(bytes);
}

/**
 * What stands in statements of Japanese banks. Letters of Europe make some rare character or katakana of half width in Shift_JIS, but neither
 * kana of full width, which begin with two marks that hardly any text has, nor these words.
 */
const ours = /[ぁ-んァ-ヶ]|日付|取引|金額|残高|摘要|入金|出金/;

/** Undefined where it is not written so. */
function decoded(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}
