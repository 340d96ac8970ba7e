import type { Head } from '../hours/note.ts';

/** How the archive was taken over from another database, or for one that lacks rows. */
export interface Taken {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** The last hour in the archive, 0 if there was none: rows that it names and that are not here are lost. */
  readonly hours: number;
  readonly reason: string;
}

/** Which database writes to the archive from now on. */
export interface Claim {
  /** Counted from 1 without a gap. */
  readonly number: number;
  /** The installation's id. */
  readonly installation: string;
  /** As `audit.identity` answers it. */
  readonly database: string;
  /** The incarnation of what is sealed from now on. */
  readonly incarnation: number;
  /** SHA-256 of the claim before, hex; undefined in the first. */
  readonly previous: string | undefined;
  /** Undefined in the first. */
  readonly taken: Taken | undefined;
  /** Where chains continue of which hourly checkpoints name later rows: sequence 0 if the tenant is not there. */
  readonly lost: readonly Head[];
}

const form =
  /^steward\/audit\/claim\n([1-9]\d{0,8})\ninstallation ([0-9a-f-]{36})\ndatabase ([\w-]{1,100})\nincarnation ([1-9]\d{0,8})\n(?:previous ([0-9a-f]{64})\ntaken (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\nhours (0|[1-9]\d{0,8})\nreason ([^\n]{1,500})\n)?((?:lost [0-9a-f-]{36} \d{1,16} [0-9a-f]{64}\n)*)$/;

/** The text that is signed (docs/guides/audit-archive.md). */
export const claimText = ({ number, installation, database, incarnation, previous, taken, lost }: Claim): string =>
  `steward/audit/claim\n${number}\ninstallation ${installation}\ndatabase ${database}\nincarnation ${incarnation}\n` +
  (previous === undefined || taken === undefined
    ? ''
    : `previous ${previous}\ntaken ${taken.at}\nhours ${taken.hours}\nreason ${taken.reason}\n`) +
  lost.map(({ tenant, sequence, rowHash }) => `lost ${tenant} ${sequence} ${rowHash}\n`).join('');

/** @throws Error where the text is in another form than `claimText` writes */
export function readClaim(text: string): Claim {
  const found = form.exec(text);
  if (found === null) throw new Error('This is no claim of an archive.');
  const [, number, installation = '', database = '', incarnation, previous, at = '', hours, reason = '', lost = ''] =
    found;
  return {
    number: Number(number),
    installation,
    database,
    incarnation: Number(incarnation),
    previous,
    taken: previous === undefined ? undefined : { at, hours: Number(hours), reason },
    lost: lost
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [, tenant = '', sequence, rowHash = ''] = line.split(' ');
        return { tenant, sequence: Number(sequence), rowHash };
      }),
  };
}
