import { mintToken } from '@steward/identity/provider';
import { ConfigError, counted, readConfig, type Addresses } from '@steward/kernel';
import { readLogins } from '@steward/sql';
import { UsageError } from '../command.ts';
import { audiencesOf, runningInstance, type CommandEnvironment, type Instance } from '../instance.ts';
import { keepBooks } from './books.ts';
import { ask, handOf, type Hand, listOf, textOf } from './client.ts';
import { deliveriesOf } from './deliveries.ts';
import { answerForms, propose } from './desk.ts';
import { colleague, organize } from './organize.ts';
import { openPast } from './past.ts';
import { chancesOf } from './random.ts';
import { openShop } from './shop.ts';
import { trade } from './year.ts';

const day = 86_400_000;
const name = 'Juniper & Clay';

interface Asked {
  readonly user: string | undefined;
  readonly orders: string | undefined;
  readonly products: string | undefined;
  readonly seed: string | undefined;
}

/** `seed`: a believable small business in a tenant of its own. The exit code. */
export async function seedCommand(asked: Asked, env: CommandEnvironment): Promise<number> {
  const user = asked.user ?? 'alice@example.com';
  const orders = numberOf('orders', asked.orders, 300, 2_000);
  const products = numberOf('products', asked.products, 60, 60);
  const chances = chancesOf(numberOf('seed', asked.seed, 1, 2 ** 31));
  if (readConfig(env, []).production) throw refused();
  const instance = await runningInstance(env);
  // A server that takes tokens of others may be somebody's.
  if (instance.issuer !== instance.addresses.issuer || instance.config.issuers.length > 0) throw refused();
  const { addresses, dataDir } = instance;
  await using past = await openPast(env, instance, await databaseOf(instance));
  const now = Date.now();
  past.at(now - 366 * day);
  const tenant = await signUp(past.addresses, dataDir, user);
  const hand = async (who: object): Promise<Hand> => handOf({ dataDir, addresses: past.addresses, tenant, user }, who);
  const merchandiser = await hand({ agent: 'merchandiser' });
  await requireEmpty(merchandiser);
  const [packer, bookkeeper, owner] = await Promise.all([
    hand({ agent: 'packer' }),
    hand({ agent: 'bookkeeper' }),
    hand({ approver: true }),
  ]);
  const hands = { merchandiser, packer, bookkeeper, owner };
  const setting = { ...hands, chances, now, at: past.at };

  console.log(`${name} opens: ${counted(products, 'product')}, each with its picture …`);
  const shop = await openShop(merchandiser, { count: products, origin: new URL(addresses.commerce).origin, chances });
  await organize(hands, {
    now,
    worth: shop.worth,
    accepted: async (secret) => accept(past.addresses, dataDir, secret),
  });
  const submissions = Math.ceil(orders / 8);
  const form = await answerForms({ ...setting, shop, count: submissions });
  console.log(`It sells for a year: ${counted(orders, 'order')} …`);
  const deliveries = deliveriesOf(chances, now);
  const year = await trade({ ...setting, shop, deliveries, storefront: past.addresses.storefront }, orders);
  console.log('Its books follow, and the statements of its bank …');
  const bank = await keepBooks({ ...setting, deliveries }, year.moved);
  past.at(undefined);
  const proposals = await propose(hands, year);

  const { placed, paid, sent, cancelled, returned } = year.counts;
  const page = `${addresses.commerce}/example`;
  console.log(`
${name} has ${counted(products, 'product')}; ${counted(placed, 'order')} (${paid} paid, ${sent} sent, ${cancelled} cancelled, ${returned} returned);
${counted(submissions, 'submission')} of forms; ${counted(bank.lines, 'bank line')}, of which ${bank.waiting} wait; ${counted(proposals, 'proposal')} to decide.

  Shop        ${page}/shop?key=${shop.liveKey}
  for tests   ${page}/shop?key=${shop.testKey}
  Form        ${page}?form=${form}&key=${shop.liveKey}
  Console     ${new URL('/', addresses.portal).href}   sign in as ${user}, or ${colleague}
  Tenant      ${tenant}

Next: buy something in the shop, decide what waits, and verify the log:

  npx steward token --user ${user} --agent assistant-1   # for ${addresses.mcp}/t/${tenant}
  npx steward audit verify`);
  return 0;
}

function numberOf(option: string, text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${option} is a number from 1 to ${most}.`);
}

const refused = (): ConfigError =>
  new ConfigError(
    '`seed` invents a business and its past: it is refused in production, and where ISSUERS are configured.',
  );

/** @throws ConfigError where it is not known */
async function databaseOf({ config, database, dataDir }: Instance): Promise<{ url: string; ownerUrl?: string }> {
  if (config.database !== undefined) {
    const { url, ownerUrl } = config.database;
    return { url, ...(ownerUrl === undefined ? {} : { ownerUrl }) };
  }
  const logins = database === undefined ? undefined : await readLogins(database, dataDir);
  if (logins === undefined) throw new ConfigError('Set DATABASE_URL to that of the running instance.');
  return { url: logins.appUrl, ownerUrl: logins.ownerUrl };
}

async function signUp(addresses: Addresses, dataDir: string, user: string): Promise<string> {
  const authorization = await bearer(addresses, dataDir, user);
  const { organization } = await ask(`${addresses.portal}/api/external-agent/signup`, {
    headers: { authorization, 'idempotency-key': 'steward-seed' },
    body: { organizationName: name, defaultCurrency: 'EUR', persona: 'retail' },
  });
  return textOf(organization?.['id']);
}

async function accept(addresses: Addresses, dataDir: string, secret: string): Promise<void> {
  const authorization = await bearer(addresses, dataDir, colleague);
  await ask(`${addresses.portal}/api/invitations/accept`, { headers: { authorization }, body: { secret } });
}

const bearer = async (addresses: Addresses, dataDir: string, user: string): Promise<string> =>
  `Bearer ${await mintToken({ dataDir, issuer: addresses.issuer, audiences: audiencesOf(addresses), user })}`;

/** @throws ConfigError */
async function requireEmpty(agent: Hand): Promise<void> {
  const lists = await Promise.all([
    ...['products', 'orders', 'contacts'].map(async (what) => agent.rest('commerce', `/api/${what}?limit=1`)),
    agent.rest('studio', '/api/sites?limit=1'),
  ]);
  if (lists.every(({ items }) => listOf(items).length === 0)) return;
  throw new ConfigError(
    `The tenant is not empty: \`seed\` fills a new one only. Give somebody else with --user, or start another instance with its own DATA_DIR.`,
  );
}
