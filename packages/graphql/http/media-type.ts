import type { Problem } from '@steward/kernel';
import { errors } from '../errors.ts';

export type MediaType = 'application/json' | 'application/graphql-response+json';

const offers: readonly { readonly range: string; readonly type: MediaType }[] = [
  { range: 'application/graphql-response+json', type: 'application/graphql-response+json' },
  { range: 'application/json', type: 'application/json' },
  { range: 'application/*', type: 'application/json' },
  { range: '*/*', type: 'application/json' },
];

/**
 * The media type to answer in (RFC 9110 §12.5.1). Who accepts anything gets JSON, which every client can read.
 * @throws Problem `not_acceptable` (406)
 */
export function acceptedType(accept: string | undefined): MediaType {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  let best: { readonly type: MediaType; readonly quality: number } | undefined;
  for (const entry of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const type = offers.find((offer) => offer.range === range)?.type;
    const quality = qualityOf(parameters);
    if (type !== undefined && quality > (best?.quality ?? 0)) best = { type, quality };
  }
  if (best === undefined) throw notAcceptable();
  return best.type;
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (given === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given) : 0;
}

const notAcceptable = (): Problem =>
  errors('not_acceptable', 'Accept application/graphql-response+json or application/json.');
