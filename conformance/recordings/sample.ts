/** Whether a cell is asked for anew; who is not asked is as recorded. */
export type Sample = (row: number, column: number) => boolean;

export const whole: Sample = () => true;

/** Each row and each column, and of their cells every tenth or so. */
export const some: Sample = (row, column) => (row + column) % 11 === 0;

/** The row of an operation, by its name: one more operation has the same cells asked as before, in which what others do leaves nothing. */
export const rowOf = (name: string): number =>
  [...name].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0);
