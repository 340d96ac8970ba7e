import type { FieldError, Problem } from '@steward/kernel';
import type { CompiledTool } from './compile.ts';
import { faultsTold } from './faults.ts';
import { snake } from './pointer.ts';

type Speaking = Pick<CompiledTool, 'pointer' | 'words'>;
type Told = Pick<Problem, 'code' | 'detail' | 'errors'>;

/** A verb's refusal for the caller of the tool: with pointers into the arguments, and the names that they have there. */
export function toldOf(problem: Problem, tool: Speaking): Told {
  const faults = problem.code === 'invalid_cursor' ? cursorFault(problem) : problem.errors;
  const code = ['invalid_request', 'invalid_cursor'].includes(problem.code) ? 'invalid_arguments' : problem.code;
  const placed = faults?.map((one) => ({ ...one, pointer: placeOf(tool, code, one.pointer) }));
  const errors = placed?.map((one) => ({ ...one, detail: tool.words(one.detail) }));
  return { code, detail: tool.words(detailOf(problem, placed)), errors };
}

/** Of bad arguments always a place in them; another fault may lie in what they name, such as a field of a stored form, as tools spell it. */
function placeOf(tool: Speaking, code: string, pointer: string): string {
  const place = tool.pointer(pointer);
  const whole = place.split('/').length === pointer.split('/').length;
  return whole || code === 'invalid_arguments' ? place : snake(pointer);
}

/** A verb's own words, with the names that the arguments have; if they describe the first of several faults, with the others. */
function detailOf({ detail, errors = [] }: Problem, placed: readonly FieldError[] = []): string {
  const [first] = errors;
  const told = first === undefined ? undefined : `${first.pointer}: ${first.detail}`;
  if (told !== undefined && detail.endsWith(told)) return `${detail.slice(0, -told.length)}${faultsTold(placed)}`;
  return errors.reduce((text, { pointer }, index) => {
    const place = placed[index]?.pointer ?? '';
    return place === '' || pointer.length < 2 ? text : text.replaceAll(pointer, place);
  }, detail);
}

const cursorFault = ({ code, detail }: Problem): FieldError[] => [{ pointer: '/cursor', code, detail }];
