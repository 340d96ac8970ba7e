import type { Of } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import type { ConnectionPorts } from '../deps.ts';
import type { Receiver } from '../receivers/receiver.ts';
import { type Connection, connection } from './connection.ts';

/** A connection, with what has to be done next. */
export const addressed = connection.answer.extend({
  /** To be registered at the provider. */
  address: z.string(),
  /** Names of the secrets that a person still has to give. */
  missingSecrets: z.array(z.string()),
  /** Names of the settings that a person still has to give. */
  missingSettings: z.array(z.string()),
});
export type Addressed = Of<{ readonly answer: typeof addressed }>;

/** What a connection of a receiver needs, by name, in people's words; the signing secret is first. */
export function secretsOf(receiver: Receiver, provider: string): Readonly<Record<string, string>> {
  const adapter = receiver.adapters.find(({ name }) => name === provider);
  const signing = adapter?.secret;
  return { ...(signing === undefined ? {} : { signing }), ...receiver.credentials?.(provider) };
}

/** Names of the secrets without which it takes nothing. */
export function neededOf(receiver: Receiver, provider: string): readonly string[] {
  const optional = receiver.optional?.(provider) ?? [];
  return Object.keys(secretsOf(receiver, provider)).filter((name) => !optional.includes(name));
}

/** What a connection of a receiver may say beside its secrets, by name, in people's words. */
export function settingsOf(receiver: Receiver, provider: string): Readonly<Record<string, string>> {
  const adapter = receiver.adapters.find(({ name }) => name === provider);
  return { ...adapter?.settings, ...receiver.settings?.(provider) };
}

/** Names of the settings without which it takes nothing. */
export function neededSettingsOf(receiver: Receiver, provider: string): readonly string[] {
  const adapter = receiver.adapters.find(({ name }) => name === provider);
  return [...(adapter?.needs ?? []), ...(receiver.needs?.(provider) ?? [])];
}

/** @throws Problem `invalid_request` (400) with pointers, without what was given */
export function requireFit(
  receiver: Receiver,
  connection: Pick<Connection, 'provider' | 'live'>,
  given: { readonly secrets?: Given; readonly settings: Given },
): void {
  const errors = Object.entries(given).flatMap(([of, all]) =>
    Object.entries(all).flatMap(([name, one]) => {
      const detail = one === null ? undefined : receiver.unfit?.(connection, name, one);
      return detail === undefined ? [] : [{ pointer: `/${of}/${name}`, code: 'invalid_value', detail }];
    }),
  );
  const [first] = errors;
  if (first !== undefined) throw fail('invalid_request', `${first.pointer}: ${first.detail}`, { errors });
}

type Given = Readonly<Record<string, string | null>>;

export function shown(
  { receivers, addressOf }: Pick<ConnectionPorts, 'receivers' | 'addressOf'>,
  one: Connection,
): Addressed {
  const receiver = receivers().find(({ name }) => name === one.receiver);
  const needed = receiver === undefined ? [] : neededOf(receiver, one.provider);
  const settings = receiver === undefined ? [] : neededSettingsOf(receiver, one.provider);
  return {
    ...one,
    address: receiver === undefined ? '' : `${addressOf(receiver)}?c=${one.id}`,
    missingSecrets: needed.filter((name) => !one.secrets.includes(name)),
    missingSettings: settings.filter((name) => !Object.hasOwn(one.settings, name)),
  };
}
