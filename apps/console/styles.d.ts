declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module '*.css';

/** Of Vite: a function that loads each file that the patterns name, and none of them after `!`. */
interface ImportMeta {
  glob<T>(pattern: string | readonly string[]): Readonly<Record<string, (() => Promise<T>) | undefined>>;
}
