import { hash } from 'node:crypto';
import type { FieldError } from '@steward/kernel';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { jsonPointer } from '@steward/kernel';
import { canonical } from '../chain/canonical.ts';
import { findMarks, keyword, type Mark } from '../personal/marks/personal-marks.ts';
import type { JsonSchema } from './grammar.ts';

/** A schema made ready: its digest as the envelope carries it, and its check. */
export interface Rule {
  readonly schema: JsonSchema;
  /** SHA-256 of the schema's RFC 8785 text, lower-case hex. */
  readonly digest: string;
  /** Where it marks personal data; none in most. */
  readonly personal: readonly Mark[];
  /** What does not fit, by pointer into the request; empty when all does. */
  check(payload: unknown): readonly FieldError[];
}

let shared: Ajv2020 | undefined;

/** One for the process: making it costs more than all our schemas. It knows none by name, so that `$id`s do not meet. */
function compiler(): Ajv2020 {
  if (shared !== undefined) return shared;
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    validateFormats: true,
    ownProperties: true,
    addUsedSchema: false,
  });
  formats.default(ajv);
  ajv.addKeyword({
    keyword,
    metaSchema: {
      type: 'object',
      properties: { subject: { type: 'string', format: 'json-pointer' } },
      required: ['subject'],
      additionalProperties: false,
    },
  });
  return (shared = ajv);
}

/**
 * Compiled with its first check: all schemas together take a quarter of a second of each start, and a run meets few of them.
 * @throws Error for an unsound mark of personal data; `check` throws for a schema that is not sound
 */
export function makeRule(schema: JsonSchema): Rule {
  let compiled: ValidateFunction | undefined;
  return {
    schema,
    digest: hash('sha256', canonical(schema), 'hex'),
    personal: findMarks(schema),
    check: (payload) => {
      compiled ??= validator(schema);
      return compiled(payload) ? [] : (compiled.errors ?? []).slice(0, 20).map(faultOf);
    },
  };
}

function validator(schema: JsonSchema): ValidateFunction {
  try {
    return compiler().compile(schema);
  } catch (error) {
    // It is remembered by then, and a second time would pass unexamined.
    compiler().removeSchema(schema);
    throw error;
  }
}

function faultOf({ instancePath, keyword, params, message }: ErrorObject): FieldError {
  const missing = params as { missingProperty?: string; additionalProperty?: string; unevaluatedProperty?: string };
  const property = missing.missingProperty ?? missing.additionalProperty ?? missing.unevaluatedProperty;
  const last = jsonPointer(property === undefined ? [] : [property]);
  return { pointer: `/payload${instancePath}${last}`.slice(0, 512), code: keyword, detail: `${message ?? 'invalid'}.` };
}
