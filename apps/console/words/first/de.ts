export { approvals } from '../de/approvals.ts';
export { home } from '../de/home.ts';
export { parts } from '../de/parts.ts';
export { shell } from '../de/shell.ts';
