import { createHash, createHmac } from 'node:crypto';
import { type Delivery, NeverApplies } from '@steward/callbacks';
import { BoundedMap, isId, ProviderRefused, type ProviderClient, dictionary } from '@steward/kernel';
import { type Api, type Connection, found, secretOf, segment } from '../clearing/provider.ts';
import { listOf, type Members, membersOf, required, textOf, UnexpectedAnswer } from '../clearing/read.ts';
import type { Classification } from './taxpayer.ts';
import { readTin } from './tin.ts';

const version = '/v1.7.3';

export const filingStatuses = ['created', 'transmitted', 'accepted', 'rejected', 'unknown'] as const;
type FilingStatus = (typeof filingStatuses)[number];

/** How far one form came. */
export interface SaidFiling {
  readonly submissionId: string;
  readonly recordId: string;
  readonly form: string;
  readonly taxYear: number | null;
  /** The party, where the provider was told its id. */
  readonly partyId: string | null;
  readonly status: FilingStatus;
  readonly providerStatus: string;
  /** RFC 3339. */
  readonly statusAt: string;
}

/** What a payee filled in. */
export interface SaidW9 {
  readonly partyId: string;
  readonly status: 'received' | 'tin_matched' | 'failed';
  readonly legalName: string | null;
  readonly classification: Classification | null;
  /** Null where the provider shows no whole number. Never logged. */
  readonly tin: { readonly kind: 'ssn' | 'ein'; readonly number: string } | null;
}

export interface TaxNews {
  readonly filings: readonly SaidFiling[];
  readonly w9: SaidW9 | null;
}

/** What TaxBandits says of filings and W-9s. Its signature covers nothing of a body, so an event only says what to ask for. */
export interface TaxBandits {
  news(connection: Connection, delivery: Delivery, signal: AbortSignal): Promise<TaxNews>;
}

export const taxTopics = ['filing.status', 'w9.status', 'tin_matching.status'];

export function createTaxBandits(api: Api, login: Api): TaxBandits {
  const tokens = createTokens(login);
  return {
    news: async (connection, { topic, data }, signal) => {
      const authorization = `Bearer ${await tokens(connection, signal)}`;
      const client = api.of(connection);
      const ask: Ask = async (path, query) =>
        membersOf(
          (await found(client.call('GET', `${version}${path}`, { query, headers: { authorization }, signal }))).body,
        );
      return topic === 'filing.status'
        ? { filings: await filings(ask, data), w9: null }
        : { filings: [], w9: await w9(ask, data) };
    },
  };
}

type Ask = (path: string, query: Readonly<Record<string, string>>) => Promise<Members>;

/** Forms that are asked about, by their name in an event. */
const endpoints = dictionary<string>({
  FORM1099NEC: 'Form1099NEC',
  FORM1099MISC: 'Form1099MISC',
});

async function filings(ask: Ask, data: Members): Promise<readonly SaidFiling[]> {
  const named = [data, ...listOf(data['Records'])]
    .map((one) => textOf(one['FormType']))
    .find((one) => one !== undefined);
  const form = named?.replaceAll(/[^A-Z0-9]/gi, '').toUpperCase() ?? '';
  const endpoint = endpoints[form];
  // Other forms are nobody's books.
  if (endpoint === undefined) return [];
  const submissionId = segment(data['SubmissionId']);
  const said = await ask(`/${endpoint}/Status`, { SubmissionId: submissionId });
  if (textOf(said['SubmissionId'])?.toLowerCase() !== submissionId.toLowerCase())
    throw new UnexpectedAnswer('TaxBandits answered about another submission');
  const records = membersOf(said['Form1099Records'])['SuccessRecords'];
  return listOf(records).flatMap((one) => {
    const federal = membersOf(one['FederalReturn']);
    const status = textOf(federal['Status']);
    // Nothing was filed with the authority yet.
    if (status === undefined) return [];
    const ref = textOf(one['PayeeRef']);
    const year = Number(textOf(said['TaxYear']) ?? textOf(one['TaxYear']));
    return [
      {
        submissionId,
        recordId: required(one['RecordId'], 'RecordId'),
        form: endpoint,
        taxYear: Number.isInteger(year) && year >= 2000 && year <= 2100 ? year : null,
        partyId: ref !== undefined && isId(ref) ? ref : null,
        status: statusOf(status),
        providerStatus: status.slice(0, 100),
        statusAt: momentOf(federal['StatusTs']),
      },
    ];
  });
}

function statusOf(status: string): FilingStatus {
  const word = status.replaceAll(/[^A-Z]/gi, '').toUpperCase();
  if (word === 'CREATED') return 'created';
  if (['TRANSMITTED', 'UNDERPROCESS', 'SENTTOAGENCY', 'YETTORETRANSMIT'].includes(word)) return 'transmitted';
  if (word === 'ACCEPTED' || word === 'ACCEPTEDWITHERRORS') return 'accepted';
  return word === 'REJECTED' ? 'rejected' : 'unknown';
}

/** `2026-08-19 12:17:23 -04:00`, or RFC 3339. */
function momentOf(value: unknown): string {
  const [, day, time, zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?) ?(Z|[+-]\d{2}:\d{2})?$/.exec(textOf(value) ?? '') ?? [];
  const at = Date.parse(`${day}T${time?.slice(0, 12)}${zone}`);
  if (Number.isNaN(at)) throw new UnexpectedAnswer('the provider’s answer has no time of the status');
  return new Date(at).toISOString();
}

async function w9(ask: Ask, data: Members): Promise<SaidW9 | null> {
  const ref = textOf(data['PayeeRef']) ?? '';
  if (!isId(ref))
    throw new NeverApplies(
      'the PayeeRef is no id of a supplier here: request the form with the supplier’s id as PayeeRef',
    );
  let said: Members;
  try {
    said = await ask('/FormW9/Get', { PayeeRef: ref });
  } catch (error) {
    // Only a form that the payee completed is answered.
    if (error instanceof NeverApplies || (error instanceof ProviderRefused && error.status === 400)) return null;
    throw error;
  }
  if (textOf(said['PayeeRef'])?.toLowerCase() !== ref.toLowerCase())
    throw new UnexpectedAnswer('TaxBandits answered about another payee');
  if (!(textOf(said['W9Status']) ?? '').toUpperCase().startsWith('COMPLETED')) return null;
  const form = membersOf(said['FormData']);
  const matching = (textOf(membersOf(said['TINMatching'])['Status']) ?? '').toUpperCase();
  const kind = (textOf(form['TINType']) ?? '').toUpperCase() === 'EIN' ? 'ein' : 'ssn';
  const number = textOf(form['TIN']);
  return {
    partyId: ref.toLowerCase(),
    status: matching === 'SUCCESS' ? 'tin_matched' : matching === 'FAILED' ? 'failed' : 'received',
    legalName: textOf(form['Line1Nm']) ?? null,
    classification: classificationOf(textOf(form['FederalTaxClassification']) ?? ''),
    // Accounts may be set to show the last digits alone.
    tin: number === undefined || readTin(number, kind) === undefined ? null : { kind, number },
  };
}

/** In the words of the form, however they are written together. */
function classificationOf(said: string): Classification | null {
  const word = said.replaceAll(/[^a-z]/gi, '').toLowerCase();
  if (word === '') return null;
  if (word.startsWith('individual') || word.startsWith('soleprop')) return 'individual';
  if (word.startsWith('llc') || word.startsWith('limitedliability'))
    return word.endsWith('c') && word !== 'llc'
      ? 'llc_c'
      : word.endsWith('ccorporation') || word.endsWith('ccorp')
        ? 'llc_c'
        : word.endsWith('s') || word.endsWith('scorporation') || word.endsWith('scorp')
          ? 'llc_s'
          : word.endsWith('p') || word.endsWith('partnership')
            ? 'llc_p'
            : 'other';
  if (word.startsWith('ccorp')) return 'c_corporation';
  if (word.startsWith('scorp')) return 's_corporation';
  if (word.startsWith('partner')) return 'partnership';
  return word.startsWith('trust') || word.startsWith('estate') ? 'trust_estate' : 'other';
}

/** Tokens of connections, until shortly before they end. */
function createTokens(login: Api) {
  const known = new BoundedMap<string, { readonly token: string; readonly until: number }>(1_000);
  return async (connection: Connection, signal: AbortSignal): Promise<string> => {
    const [client, secret, user] = [
      connection.settings['client_id'] ?? '',
      secretOf(connection, 'signing'),
      secretOf(connection, 'userToken'),
    ];
    const key = `${connection.id} ${createHash('sha256').update(`${client}\n${secret}\n${user}`).digest('base64url')}`;
    const kept = known.get(key);
    if (kept !== undefined && kept.until > performance.now()) return kept.token;
    const answer = await askToken(login.of(connection), { client, secret, user }, signal);
    if (answer.until > performance.now()) known.set(key, answer);
    return answer.token;
  };
}

async function askToken(
  api: ProviderClient,
  { client, secret, user }: { readonly client: string; readonly secret: string; readonly user: string },
  signal: AbortSignal,
): Promise<{ readonly token: string; readonly until: number }> {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iss: client, sub: client, aud: user, iat: Math.floor(Date.now() / 1000) })}`;
  const authentication = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  const { body } = await api.call('GET', '/v2/tbsauth', { headers: { authentication }, signal });
  const { AccessToken: token, ExpiresIn: seconds } = membersOf(body);
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8000}$/.test(token))
    throw new UnexpectedAnswer('TaxBandits answered no token');
  return { token, until: performance.now() + (Number(seconds) - 60) * 1000 };
}
