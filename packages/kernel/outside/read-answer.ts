import { isShallow } from '../json/outline.ts';

/** Of an answer that was asked for. */
const most = 2_097_152;
/** Levels of an answer. */
const deepest = 64;
/** Of what explains a refusal. */
const mostOfRefusal = 65_536;

/** An answer that cannot be used; its message says why and quotes nothing. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** It answered more than is read: it is there. */
export class OversizedAnswer extends UnusableAnswer {}

/** The JSON of an answer, undefined where it is empty or, of anything but a 2xx, no JSON. @throws UnusableAnswer, or whatever cut the connection */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await readText(response, response.ok ? most : mostOfRefusal);
  if (text === '') return undefined;
  try {
    // Authorize.Net puts a byte order mark before its JSON.
    const json = text?.replace(/^\uFEFF/, '') ?? '';
    if (!isShallow(json, deepest)) throw new SyntaxError('nested too deep');
    return JSON.parse(json);
  } catch {
    if (!response.ok) return undefined;
    if (text === undefined) throw new OversizedAnswer(`answered more than ${most} bytes`);
    throw new UnusableAnswer('answered what is no JSON');
  }
}

/** The text of an answer of 2xx. @throws UnusableAnswer, or whatever cut the connection */
export async function readAnswerText(response: Response, limit: number): Promise<string> {
  const text = await readText(response, limit);
  if (text === undefined) throw new OversizedAnswer(`answered more than ${limit} bytes`);
  return text;
}

/** Undefined where it is longer. */
async function readText(response: Response, limit: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
