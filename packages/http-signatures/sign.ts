import { sign as makeSignature, type KeyObject } from 'node:crypto';
import { signatureBase } from './base.ts';
import { contentDigest } from './digest.ts';
import { type Algorithm, termsOf } from './keys.ts';
import { type AnyMessage, type Component, fieldOf } from './message.ts';
import { requiredOf, requiredOfAnswer } from './verify.ts';

export interface SignOptions {
  readonly key: KeyObject;
  readonly keyid: string;
  readonly algorithm: Algorithm;
  /** Fields that are covered too, where the message has them. */
  readonly fields?: readonly string[];
  /** Seconds since 1970; left out unless it is given. */
  readonly created?: number;
}

const componentOf = (name: string): Component => ({ name, key: undefined, id: `"${name}"` });

/** The fields that sign a message, to be sent with it: `content-digest` where there is a body, `signature-input` and `signature`. */
export function sign(
  message: AnyMessage,
  { key, keyid, algorithm, fields = [], created }: SignOptions,
): Readonly<Record<string, string>> {
  const digest: Record<string, string> =
    message.body.length === 0 ? {} : { 'content-digest': contentDigest(message.body) };
  const whole = { ...message, headers: { ...message.headers, ...digest } };
  const present = fields.filter((name) => fieldOf(whole, name) !== undefined);
  const names = 'url' in whole ? requiredOf(whole, present) : [...requiredOfAnswer(whole), ...present];
  const components = [...new Set(names)].map(componentOf);
  const params = `(${components.map(({ id }) => id).join(' ')})${created === undefined ? '' : `;created=${created}`};keyid="${keyid}"`;
  const base = signatureBase(whole, components, params);
  if (base === undefined) throw new Error('the message lacks what its signature covers');
  const { hash } = termsOf(algorithm);
  const bytes = makeSignature(hash, Buffer.from(base, 'latin1'), { key, dsaEncoding: 'ieee-p1363' });
  return { ...digest, 'signature-input': `sig1=${params}`, signature: `sig1=:${bytes.toString('base64')}:` };
}
