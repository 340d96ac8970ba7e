export { approvals } from '../en/approvals.ts';
export { home } from '../en/home.ts';
export { parts } from '../en/parts.ts';
export { shell } from '../en/shell.ts';
