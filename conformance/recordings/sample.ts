/** Whether a cell is asked for anew; who is not asked is as recorded. */
export type Sample = (row: number, column: number) => boolean;

export const whole: Sample = () => true;

/** Each row and each column, and of their cells every tenth or so. */
export const some: Sample = (row, column) => (row + column) % 11 === 0;
