export { approvals } from '../ja/approvals.ts';
export { home } from '../ja/home.ts';
export { parts } from '../ja/parts.ts';
export { shell } from '../ja/shell.ts';
