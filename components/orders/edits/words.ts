/** Of one order. */
export const mostEdits = 50;
/** Beyond it a program that reads JSON numbers may not hold a sum. Minor units. */
export const mostAmount = 999_999_999_999_999n;
