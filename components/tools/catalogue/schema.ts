import { z } from 'zod';
import type { Tool } from './tool.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const tenantId = {
  tenant_id: z
    .string()
    .optional()
    .describe('Organization to act in, where neither the X-Tenant-ID header, the address nor the token names it.'),
};

const commandArguments = {
  preview: z.boolean().optional().describe('true: say what would change and change nothing.'),
  idempotency_key: z
    .string()
    .min(8)
    .max(200)
    .optional()
    .describe('Repeat the call with the same key and arguments to get the stored result instead of a second effect.'),
};

/**
 * What a call may hold: the tool's own arguments and those every tool of its kind takes; nothing else.
 * @throws TypeError when the tool defines one of the added names itself
 */
export function argumentsOf({ name, kind, input }: Tool): z.ZodObject {
  const added = kind === 'bootstrap' ? {} : kind === 'query' ? tenantId : { ...tenantId, ...commandArguments };
  const taken = Object.keys(added).find((key) => key in input.shape);
  if (taken !== undefined) throw new TypeError(`${name}: the argument ${taken} is added by kind`);
  return input.safeExtend(added).strict();
}

/** JSON Schema 2020-12, without the `$schema` that makes validators of older drafts refuse it. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return rest;
}

const text: JsonSchema = { type: 'string' };

const problem: JsonSchema = {
  type: 'object',
  description: 'Of a failure: what to mend, by JSON pointer into the arguments.',
  properties: {
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: text, code: text, detail: text },
        required: ['pointer', 'code', 'detail'],
      },
    },
  },
  required: ['errors'],
  additionalProperties: false,
};

const proposed: JsonSchema = { description: 'Of an action that awaits approval: its preview.' };

/** Of the whole tool result. It admits the failed form, because official clients check that one too. */
export const resultSchema = (tool: Tool): JsonSchema => ({
  type: 'object',
  properties: {
    status: { enum: ['ok', 'preview', 'pending_approval', 'error'] },
    tier: { enum: ['read', 'write', 'approval'] },
    summary: text,
    data: { anyOf: [jsonSchema(tool.output, 'output'), problem, ...(tool.kind === 'command' ? [proposed] : [])] },
    warning: text,
    preview: {},
    pending_action_id: text,
    error_code: text,
    next_request_headers: { type: 'object', additionalProperties: text },
  },
  required: ['status', 'tier', 'summary'],
  additionalProperties: false,
});
