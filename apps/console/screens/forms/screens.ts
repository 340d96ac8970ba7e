export { default as Builder } from './builder.tsx';
export { default as Forms } from './forms.tsx';
export { default as OnPage } from './on-page.tsx';
export { default as Submissions } from './submissions.tsx';
export { default as Versions } from './versions.tsx';
