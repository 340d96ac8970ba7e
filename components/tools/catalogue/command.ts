import { Problem } from '@steward/kernel';
import { errors } from '../errors.ts';
import type { CompiledTool } from './compile.ts';
import { faultsTold } from './faults.ts';
import { toldOf } from './told.ts';
import type { Call, Tool } from './tool.ts';

/** A tool that changes something, with the check of its arguments. */
export interface Command {
  readonly tool: Tool;
  /** Own arguments with their defaults. @throws Problem `invalid_arguments` (400) with pointers */
  check(args: unknown): unknown;
  /** What its verb refuses, in the arguments' own names. */
  told(problem: Problem): Pick<Problem, 'code' | 'detail' | 'errors'>;
  run(call: Call, args: unknown): ReturnType<Tool['run']>;
}

export const commandsOf = (catalogue: readonly CompiledTool[]): ReadonlyMap<string, Command> =>
  new Map(
    catalogue.flatMap(({ name, kind, tool, check, pointer, words, run }) =>
      kind === 'command' && tool !== undefined
        ? [
            [
              name,
              {
                tool,
                check: (args) => own(check(args)),
                told: (problem) => toldOf(problem, { pointer, words }),
                run: run as Command['run'],
              },
            ],
          ]
        : [],
    ),
  );

function own(checked: ReturnType<CompiledTool['check']>): unknown {
  if ('own' in checked) return checked.own;
  throw errors('invalid_arguments', `The arguments are not valid: ${faultsTold(checked)}`, {
    errors: checked,
  }) satisfies Problem;
}
