/** Lines of a document or an entry at most: a year's order, a payroll of hundreds. Their file is within the limit of a body. */
export const mostLines = 2_000;
/** The most lines of all documents or entries of a page: the page ends with the one that reaches this number. */
export const linesOfPage = 2_000;
/** The most faults of lines in one answer. */
export const mostFaults = 20;
