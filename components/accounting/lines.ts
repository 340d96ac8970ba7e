/** Lines of a document or an entry at most: a year's order, a payroll of hundreds. Their file is within the limit of a body. */
export const mostLines = 2_000;
/** Lines of all documents or entries of a page together: it ends with the one that reaches them, and goes on after it. */
export const linesOfPage = 2_000;
/** Of what is wrong with lines, told at once. */
export const mostFaults = 20;
