import { readFile } from 'node:fs/promises';
import { type Guard, route } from '@steward/contract';
import { verifierFile } from './file.ts';

/** An auditor outside has neither a token nor a tenant. */
const anyone: Guard<undefined> = { security: 'none', errors: [], admit: () => undefined };

export const verifierRoute = route({
  method: 'GET',
  path: '/api/audit/verifier',
  does: 'for_anyone',
  summary: 'The stand-alone verifier of exports, proofs and archives',
  description: 'One file for Node 20 or newer, without dependencies: `node steward-audit-verify.mjs --export FILE`.',
  tag: 'Audit',
  guard: anyone,
  answers: { 200: { description: 'The program, as an attachment', types: ['text/javascript'] } },
  handle: async () => ({
    status: 200,
    text: await readFile(verifierFile, 'utf8'),
    type: 'text/javascript; charset=utf-8',
    headers: { 'content-disposition': 'attachment; filename="steward-audit-verify.mjs"' },
  }),
});
