import { areas, rolesWith, type Kind, type Tier } from '@steward/access';
import type { FieldError } from '@steward/kernel';
import { checkOf, invalid, noSuchField, snakeName, spellingOf } from '@steward/contract';
import type { FixtureResult, FixtureTool } from './fixture.ts';
import { mirroredIn, type Mirrored } from './mirrored.ts';
import { hasProblems, pointersInto, problemsSaid, wordsFor } from './pointer.ts';
import type { Question } from './question.ts';
import { argumentsOf, jsonSchema, resultOutline, resultSchema } from './schema.ts';
import { descriptionOf, type Refer } from './describe.ts';
import { type ApprovalTraits, type Call, type Outcome, type Tool } from './tool.ts';

/** A tool made ready once, at start: of this nothing is computed for a request, but for the first the check of arguments. */
export interface CompiledTool {
  readonly name: string;
  /** What visibility decides by; undefined for a fixture, which everyone sees. */
  readonly tool: Tool | undefined;
  readonly kind: Kind;
  readonly tier: Tier;
  /** Its entry in `tools/list`, as JSON of ASCII characters. */
  readonly listed: string;
  /** Its entry in the manifest, likewise. */
  readonly described: string;
  readonly mirrored: readonly Mirrored[];
  check(args: unknown): CheckedArguments | readonly FieldError[];
  /** The place in the arguments that a verb's pointer means. */
  pointer(of: string): string;
  /** A verb's words with the names that the arguments have. */
  words(of: string): string;
  run(call: Call, args: unknown): Returned | Promise<Returned>;
}

export interface CheckedArguments {
  /** Own arguments, with their defaults. */
  readonly own: unknown;
  readonly preview: boolean;
  readonly idempotencyKey: string | undefined;
}

export type Returned = Outcome | Question | FixtureResult;

const named = /^service_[a-z]+(?:_[a-z0-9]+)*$/;

/** @throws TypeError for a tool that clients could not use: a bad name, a schema that cannot be shown */
export function compileTool(tool: Tool, refer: Refer, portsOf: (tool: Tool) => unknown): CompiledTool {
  if (!named.test(tool.name) || tool.name.length > 64)
    throw new TypeError(`${tool.name}: name tools service_<verb>_<noun>`);
  if (tool.kind === 'query' && tool.tier !== 'read') throw new TypeError(`${tool.name}: a query is of tier read`);
  if (tool.tier === 'approval' && tool.kind !== 'command')
    throw new TypeError(`${tool.name}: what awaits approval is a command`);
  const parts: readonly (string | undefined)[] = areas[tool.pillar];
  if (
    tool.kind !== 'bootstrap' &&
    tool.everywhere !== true &&
    !(parts.length === 0 ? [undefined] : parts).includes(tool.area)
  )
    throw new TypeError(`${tool.name}: ${tool.pillar} has the areas ${parts.join(', ') || 'none'}`);
  const { checked, taken, answered } = schemasOf(tool);
  const into = pointersInto(taken.schema);
  const words = wordsFor(taken.schema, tool.takes);
  const near = (path: readonly string[]): string | undefined => {
    const meant = taken.near(path);
    return meant === undefined ? undefined : snakeName(meant);
  };
  const input = referred(taken.schema, (text) => refer(words(text), tool));
  // What is kept and compared is spelled as callers spell it; the tool and its traits see their own names.
  const inside = new WeakMap<object, unknown>();
  const own = (args: unknown): unknown => inside.get(args as object) ?? taken.inward(args, []);
  const pointer = (of: string): string =>
    into(of.replace(/^\/[^/]+/, (name) => `/${tool.takes?.[name.slice(1)] ?? name.slice(1)}`));
  // Of many that are done each by itself, an answer says what is wrong with one.
  const spoken = hasProblems(answered.schema)
    ? (data: unknown): unknown => problemsSaid(data, { pointer, words })
    : (data: unknown): unknown => data;
  const told = (returned: Returned): Returned => {
    if (!('summary' in returned) || (returned.data === undefined && returned.preview === undefined)) return returned;
    const { data, preview } = returned;
    const outcome = {
      ...returned,
      ...(data === undefined ? {} : { data: spoken(answered.outward(data)) }),
      ...(preview === undefined ? {} : { preview: answered.outwardLoose(preview) }),
    };
    inside.set(outcome, returned);
    return outcome;
  };
  const respelled = ({ moneyOut, amount, payee, appoints, routine }: ApprovalTraits): ApprovalTraits => {
    const over =
      <T>(trait: (args: unknown, outcome: Outcome) => T) =>
      (args: unknown, outcome: Outcome): T =>
        trait(own(args), (inside.get(outcome) as Outcome | undefined) ?? outcome);
    return {
      moneyOut: typeof moneyOut === 'function' ? over(moneyOut) : moneyOut,
      ...(amount === undefined ? {} : { amount: over(amount) }),
      ...(payee === undefined ? {} : { payee: over(payee) }),
      ...(appoints === undefined ? {} : { appoints: over(appoints) }),
      ...(routine === undefined ? {} : { routine: typeof routine === 'function' ? over(routine) : routine }),
    };
  };
  const shown = entries({ ...tool, description: refer(words(descriptionOf(tool)), tool) }, input, answered.schema);
  return {
    name: tool.name,
    tool: tool.approval === undefined ? tool : { ...tool, approval: respelled(tool.approval) },
    kind: tool.kind,
    tier: tool.tier,
    listed: asciiJson(shown.listed),
    described: asciiJson(shown.described),
    mirrored: mirroredIn(input, tool.name),
    pointer,
    words,
    check: (args) => {
      const strange: string[] = [];
      const read = taken.inward(args, strange);
      const result = checked(read);
      const faults = [
        ...(result.success ? [] : (invalid(result.error.issues, 'body', read, near).errors ?? [])).map((one) => ({
          ...one,
          pointer: taken.pointer(one.pointer),
          detail: words(one.detail),
        })),
        ...strange.slice(0, 20).map((pointer) => ({
          pointer,
          code: 'unknown_field',
          detail: noSuchField(near(pointer.split('/').slice(1))),
        })),
      ];
      if (faults.length > 0 || !result.success) return faults;
      const { own: given, ...rest } = sortOut(tool.kind, result.data);
      const kept = taken.outward(given) as object;
      inside.set(kept, given);
      return { ...rest, own: kept };
    },
    run: (call, args) => {
      const returned = tool.run(call, own(args), portsOf(tool));
      return returned instanceof Promise ? returned.then(told) : told(returned);
    },
  };
}

const schemas = new WeakMap<Tool, ReturnType<typeof makeSchemas>>();

/** Made once of a tool: a process that starts several servers, as tests do, would spend a third of each start on it. */
function schemasOf(tool: Tool): ReturnType<typeof makeSchemas> {
  const made = schemas.get(tool) ?? makeSchemas(tool);
  schemas.set(tool, made);
  return made;
}

function makeSchemas(tool: Tool) {
  const schema = argumentsOf(tool);
  return {
    checked: checkOf(schema),
    taken: spellingOf(jsonSchema(schema, 'input')),
    answered: spellingOf(jsonSchema(tool.output, 'output')),
  };
}

export function compileFixture(fixture: FixtureTool): CompiledTool {
  const { name, description, inputSchema } = fixture;
  return {
    name,
    tool: undefined,
    kind: 'query',
    tier: 'read',
    listed: asciiJson({ name, description, inputSchema }),
    described: asciiJson({ name, description, input_schema: inputSchema }),
    mirrored: mirroredIn(inputSchema, name),
    pointer: pointersInto(inputSchema),
    words: wordsFor(inputSchema),
    check: (own) => ({ own, preview: false, idempotencyKey: undefined }),
    run: (call, args) => fixture.run(call, args as Readonly<Record<string, unknown>>),
  };
}

function sortOut(kind: Kind, data: Record<string, unknown>): CheckedArguments {
  if (kind === 'bootstrap' || (kind === 'query' && data['tenant_id'] === undefined)) {
    return { own: data, preview: false, idempotencyKey: undefined };
  }
  const { tenant_id: _tenant, preview, idempotency_key: idempotencyKey, ...own } = data;
  return { own, preview: preview === true, idempotencyKey: idempotencyKey as string | undefined };
}

/** The scope that opens a tier to an assistant (contracts §3); bootstrap tools need none. */
export const scopeOf = ({ kind, tier }: { kind: Kind; tier: Tier }): string | null =>
  kind === 'bootstrap' ? null : tier === 'read' ? 'mcp:read' : 'mcp:write';

function entries(
  tool: Tool,
  inputSchema: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
): { listed: unknown; described: unknown } {
  const { name, title, description, pillar, area, kind, tier, core, requires, personas } = tool;
  const annotations = {
    readOnlyHint: tier === 'read',
    destructiveHint: tool.annotations.destructiveHint ?? false,
    idempotentHint: tool.annotations.idempotentHint ?? tier === 'read',
    openWorldHint: tool.annotations.openWorldHint ?? false,
  };
  const bootstrap = kind === 'bootstrap';
  return {
    listed: {
      name,
      title,
      description,
      inputSchema,
      outputSchema: resultOutline(tool, data),
      annotations,
      _meta: { pillar, area, kind, tier, core },
    },
    described: {
      name,
      title,
      description,
      pillar,
      area,
      kind,
      tier,
      core,
      input_schema: inputSchema,
      output_schema: resultSchema(tool, data),
      annotations,
      requires: {
        role: bootstrap ? [] : rolesWith(requires),
        entitlement: bootstrap ? null : requires.entitlement,
        scope: scopeOf(tool),
      },
      personas,
    },
  };
}

/** A schema with new descriptions. */
function referred<T>(schema: T, write: (text: string) => string): T {
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([key, value]: [string, unknown]) => [
    key,
    key === 'description' && typeof value === 'string' ? write(value) : referred(value, write),
  ]);
  return (Array.isArray(schema) ? members.map(([, value]) => value) : Object.fromEntries(members)) as T;
}

/** ASCII, so that a prebuilt list has as many bytes as characters. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
