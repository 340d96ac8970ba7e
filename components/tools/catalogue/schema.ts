import { z } from 'zod';
import type { Tool } from './tool.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const tenantId = {
  tenant_id: z.string().optional().describe('Organization, if no header, address or token names it.'),
};

const commandArguments = {
  preview: z.boolean().optional().describe('true: only tells what would change.'),
  idempotency_key: z
    .string()
    .min(8)
    .max(200)
    .optional()
    .describe('A text of your own, such as a UUID. A repeat with it has no second effect.'),
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

/**
 * JSON Schema 2020-12, without the `$schema` that makes validators of older drafts refuse it, and without what only makes
 * it long: a pattern that says what `format` says, and bounds that every integer has.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema: one }) => {
      if (typeof one.format === 'string') delete one.pattern;
      if (one.minimum === Number.MIN_SAFE_INTEGER) delete one.minimum;
      if (one.maximum === Number.MAX_SAFE_INTEGER) delete one.maximum;
    },
  });
  return rest;
}

const text: JsonSchema = { type: 'string' };

const problem: JsonSchema = {
  type: 'object',
  description: 'On failure: what to mend, by JSON pointer into the arguments.',
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

const proposed: JsonSchema = { description: 'On pending_approval: the preview of the action.' };

/**
 * The outline of a result in a list: of queries, the names and types of its data down to the fields of a record; of commands, names alone,
 * because a proposed one answers its preview. The instructions describe what every result has. Clients send lists to
 * models, and whole schemas were more than half of a list; the manifest has them. Failures fit the outline too.
 */
export const resultOutline = (tool: Tool, data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { data: tool.kind === 'command' ? names(data) : outline(data, 2) },
});

const names = (schema: JsonSchema): JsonSchema => ({ properties: mapped(schema['properties'], () => ({})) });

/** `depth`: of objects whose properties are named; arrays do not count. */
function outline({ type, anyOf, properties, items }: JsonSchema, depth: number): JsonSchema {
  if (Array.isArray(anyOf)) {
    const [only, ...others] = (anyOf as readonly JsonSchema[]).filter((one) => one['type'] !== 'null');
    if (only === undefined || others.length > 0) return {};
    const { type: known, ...rest } = outline(only, depth);
    return typeof known === 'string' ? { type: [known, 'null'], ...rest } : {};
  }
  if (type === undefined) return {};
  if (depth > 0 && properties !== undefined)
    return { type, properties: mapped(properties, (one) => outline(one, depth - 1)) };
  if (depth > 0 && items !== undefined) return { type, items: outline(items as JsonSchema, depth) };
  return { type };
}

const mapped = (properties: unknown, write: (schema: JsonSchema) => JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, one]) => [name, write(one)]),
  );

/** Of the whole tool result. It admits the failed form, because official clients check that one too. */
export const resultSchema = (tool: Tool, data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    status: { enum: ['ok', 'preview', 'pending_approval', 'error'] },
    tier: { enum: ['read', 'write', 'approval'] },
    summary: text,
    data: { anyOf: [data, problem, ...(tool.kind === 'command' ? [proposed] : [])] },
    warning: text,
    preview: {},
    pending_action_id: text,
    error_code: text,
    next_request_headers: { type: 'object', additionalProperties: text },
  },
  required: ['status', 'tier', 'summary'],
  additionalProperties: false,
});
