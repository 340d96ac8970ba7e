import { Problem } from '@steward/kernel';
import { errors, type Command } from '@steward/tools';
import { z } from 'zod';

/** A tool's arguments in a body; a name that no object may have is refused there as any that the tool does not take. */
export const toolArguments = z.preprocess(
  (value, { issues }) => {
    if (isObject(value) && Object.hasOwn(value, '__proto__'))
      issues.push({ code: 'unrecognized_keys', keys: ['__proto__'], input: value });
    return value;
  },
  z.record(z.string(), z.unknown()),
);

/** What every tool takes beside its own arguments, and a body says elsewhere or not at all. */
const besides = ['tenant_id', 'preview', 'idempotency_key'];

/** Own arguments with their defaults. @throws Problem `invalid_arguments` (400) with pointers into the body */
export function readArguments(command: Command, given: Readonly<Record<string, unknown>>): unknown {
  const strange = besides.filter((name) => Object.hasOwn(given, name));
  const detail = 'Only arguments of the tool itself belong here: leave this out.';
  if (strange.length > 0)
    throw inBody(
      errors('invalid_arguments', `${strange.join(', ')}: ${detail}`, {
        errors: strange.map((name) => ({ pointer: `/${name}`, code: 'unknown_field', detail })),
      }),
    );
  try {
    return command.check(given);
  } catch (error) {
    throw error instanceof Problem ? inBody(error) : error;
  }
}

/** A tool's refusal in its rehearsal, of arguments that came in a body. */
export async function ofBody<T>(command: Command, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error;
    const { code, detail, errors: faults = [] } = command.told(error);
    throw code === 'invalid_arguments' ? inBody(errors(code, detail, { errors: faults })) : error;
  }
}

const inBody = ({ code, status, title, detail, errors: faults = [] }: Problem): Problem => {
  const told = new Set(faults.map(({ pointer }) => pointer).filter((pointer) => pointer.length > 1));
  let words = detail;
  for (const pointer of told) words = words.replaceAll(` ${pointer}: `, ` /arguments${pointer}: `);
  return new Problem(code, status, title, words, {
    errors: faults.map((fault) => ({ ...fault, pointer: `/arguments${fault.pointer}` })),
  });
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
