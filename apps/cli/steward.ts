#!/usr/bin/env node
import { printable } from './printable.ts';
import { run } from './run.ts';

// What is printed may be what strangers wrote: a terminal obeys none of it.
for (const name of ['log', 'error'] as const) {
  const print = console[name].bind(console);
  console[name] = (...said: unknown[]) => print(...said.map((one) => (typeof one === 'string' ? printable(one) : one)));
}

process.exitCode = await run(process.argv.slice(2), process.env);
