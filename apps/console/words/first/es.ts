export { approvals } from '../es/approvals.ts';
export { home } from '../es/home.ts';
export { parts } from '../es/parts.ts';
export { shell } from '../es/shell.ts';
