import { type AnyMessage, type Component, targetOf, valueOf } from './message.ts';

/**
 * What is signed (RFC 9421 §2.5). Undefined where the message lacks something that it covers.
 * @param params as the field says them: the list of what is covered, with its parameters
 */
export function signatureBase(
  message: AnyMessage,
  components: readonly Component[],
  params: string,
): string | undefined {
  const target = 'url' in message ? targetOf(message.url) : undefined;
  let base = '';
  for (const component of components) {
    const value = valueOf(message, component, target);
    if (value === undefined || /[\r\n]/.test(value)) return undefined;
    base += `${component.id}: ${value}\n`;
  }
  return `${base}"@signature-params": ${params}`;
}
