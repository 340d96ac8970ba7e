import { checkOf } from '@steward/contract';
import { badArguments } from '@steward/agentic';
import { newId } from '@steward/kernel';
import { z } from 'zod';

/** Of the Agent2Agent protocol. The binding is written for the first; the second calls the same by other names. */
export type Revision = '0.3' | '1.0';

/** The one method that does something, in each revision. */
export const methods: ReadonlyMap<string, Revision> = new Map([
  ['message/send', '0.3'],
  ['SendMessage', '1.0'],
]);

const part = z.looseObject({
  text: z.string().max(10_000).optional(),
  data: z.looseObject({ action: z.string().max(60).optional() }).optional(),
});

const message = z.looseObject({
  messageId: z.string().min(1).max(255),
  contextId: z.string().max(255).optional(),
  parts: z.array(part).min(1).max(20),
});

/** What is sent, as the document of the interface has it. */
export const messageGiven = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int().min(0).max(2_147_483_647)]),
  method: z.enum(['message/send', 'SendMessage']),
  params: z.looseObject({ message }),
});

const readParams = checkOf(z.looseObject({ message }));

/** A turn of a conversation, as the agent of a buyer sends it. */
export interface Turn {
  /** A repetition has the same one. */
  readonly messageId: string;
  /** What the turn is about: a checkout of ours, or whatever the agent calls a beginning. */
  readonly contextId: string;
  /** Everything that its data says, one part after another; undefined: it has none. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  /** The message as it came, whatever carried it: a repetition is the same. */
  readonly sent: string;
}

/** @throws ProtocolError -32602 for what is no message */
export function turnOf(params: unknown): Turn {
  const read = readParams(params);
  if (!read.success)
    throw badArguments('params.message is not valid: give messageId, and 1 to 20 parts with text or data.');
  const { messageId, contextId = newId(), parts } = read.data.message;
  const data = parts.flatMap((one) => (one.data === undefined ? [] : [one.data]));
  return {
    messageId,
    contextId,
    data: data.length === 0 ? undefined : Object.assign({}, ...data),
    sent: JSON.stringify((params as { message: unknown }).message),
  };
}

type Part = { readonly text: string } | { readonly data: object };

/** What is answered: one message of the shop, as a result of A2A 0.3 or 1.0. */
export function resultOf(revision: Revision, contextId: string, part: Part): object {
  const said = { messageId: newId(), contextId };
  return revision === '0.3'
    ? { kind: 'message', role: 'agent', ...said, parts: [{ kind: 'text' in part ? 'text' : 'data', ...part }] }
    : { message: { role: 'ROLE_AGENT', ...said, parts: [part] } };
}
