import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { isDay } from '@steward/archive/format';
import { exportFormats, readFilter, type ExportFormat } from '@steward/audit';
import { verifierFile } from '@steward/verification';
import { isId } from '@steward/kernel';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';

interface Wish extends Record<
  | 'format'
  | 'from'
  | 'to'
  | 'type'
  | 'grammar'
  | 'principal'
  | 'resource'
  | 'correlation'
  | 'cause'
  | 'sequence-from'
  | 'sequence-to',
  string | undefined
> {
  readonly tenant: string;
  /** A folder. */
  readonly out: string;
}

/** `audit export`: a tenant's events into a folder, with the verifier, the public keys and how to use them. */
export async function exportCommand(values: Wish, env: CommandEnvironment): Promise<number> {
  const { tenant, out, format = 'jsonl', from, to } = values;
  if (!isId(tenant)) throw new UsageError('--tenant is the id of a tenant.');
  if (!isFormat(format)) throw new UsageError(`--format is ${exportFormats.join(' or ')}.`);
  const filter = readFilter({
    type: values.type,
    grammar: values.grammar,
    principal: values.principal,
    resource: values.resource,
    correlationId: values.correlation,
    causalId: values.cause,
    receivedFrom: from === undefined || !isDay(from) ? from : `${from}T00:00:00Z`,
    receivedBefore: to === undefined || !isDay(to) ? to : dayAfter(to),
    sequenceFrom: values['sequence-from'],
    sequenceTo: values['sequence-to'],
  });
  return withInstance(env, async ({ audit, archive, operator }) => {
    const { name, through, body } = await audit.export(operator(tenant), format, filter);
    await mkdir(out, { recursive: true });
    const file = join(out, name);
    try {
      await pipeline(Readable.from(body, { objectMode: false }), createWriteStream(file, { flags: 'wx' }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(file, { force: true });
      throw error;
    }
    const program = fileURLToPath(verifierFile);
    await copyFile(program, join(out, basename(program)));
    const keys = await archive.keys.registered();
    await writeFile(join(out, 'keys.txt'), keys.map(({ verifierKey }) => `${verifierKey}\n`).join(''));
    await writeFile(join(out, 'README.txt'), readme(name, format, basename(program)));
    console.log(`${file}: the events of ${tenant} that were asked for, up to sequence ${through}.`);
    return 0;
  });
}

const isFormat = (format: string): format is ExportFormat => (exportFormats as readonly string[]).includes(format);

/** A day as an end includes the whole day. */
const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString();

const readme = (file: string, format: ExportFormat, program: string): string => `An export of an audit log

${file} holds ${format === 'jsonl' ? 'one event a line, as it is hashed, with its hashes' : 'one event a row, with its hashes'}.
${program} is a verifier in one file; it needs Node 20 or newer and nothing else.
keys.txt holds the public keys of the log. Compare them with keys that you got another way.

${
  format === 'jsonl'
    ? `    node ${program} --export ${file}

recomputes every hash and how rows follow from one another, and says "consistent" where they agree. An export is not signed,
and whoever changes a row can make all hashes anew: that a row is the log's own is shown by the proof of its event, or by
the archive, whose verdict is "verified":`
    : `CSV is for reading; the verifier takes exports of JSON Lines (--format jsonl). That a row is the log's own is shown by
the proof of its event, or by the archive:`
}

    node ${program} --proof PROOF --key keys.txt
    node ${program} --archive FOLDER --key keys.txt
`;
