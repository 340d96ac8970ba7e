import type { Decider } from '@steward/access';
import type { Route } from '@steward/contract';
import type { GraphModule } from '@steward/graphql';
import type { Identity } from '@steward/identity';
import type { Addresses, Log } from '@steward/kernel';
import type { Catalogue, Tool } from '@steward/tools';
import type { Audit } from '@steward/audit';
import type { Consumer } from '@steward/bus';
import type { Receiver } from '@steward/callbacks';
import { accountRoutes } from './accounts/routes.ts';
import { accountGraph } from './accounts/graph.ts';
import { accountTools } from './accounts/tools.ts';
import { attachmentGraph } from './attachments/graph.ts';
import { attachmentRoutes } from './attachments/routes.ts';
import { attachmentTools } from './attachments/tools.ts';
import { reconciliationTools } from './bank/reconcile-tools.ts';
import { bankGraph } from './bank/graph.ts';
import { reconciliationGraph } from './bank/reconcile-graph.ts';
import { ruleGraph } from './bank/rule-graph.ts';
import { ruleTools } from './bank/rule-tools.ts';
import { bankTools } from './bank/tools.ts';
import { feedTools } from './feeds/tools.ts';
import { matchConsumer } from './feeds/match.ts';
import { accountingReceivers } from './receivers.ts';
import type { AccountingSettings } from './settings.ts';
import type { Contacts } from './parties/contacts.ts';
import { partyGraph } from './parties/graph.ts';
import { type PartyPorts, partyTools } from './parties/tools.ts';
import { documentGraph } from './documents/graph.ts';
import { documentRoutes } from './documents/routes.ts';
import { documentTools } from './documents/tools.ts';
import { booksFail } from './errors.ts';
import { journalGraph } from './journal/graph.ts';
import { journalTools } from './journal/tools.ts';
import { openingGraph } from './opening/graph.ts';
import { openingTools } from './opening/tools.ts';
import { paymentGraph } from './payments/graph.ts';
import { paymentTools } from './payments/tools.ts';
import { periodGraph } from './periods/graph.ts';
import { periodTools } from './periods/tools.ts';
import { rateGraph } from './rates/graph.ts';
import { rateTools } from './rates/tools.ts';
import { agedGraph } from './reports/aged-graph.ts';
import { agedTools } from './reports/aged-tools.ts';
import { flowGraph } from './reports/flow-graph.ts';
import { reportGraph } from './reports/graph.ts';
import { reportRoutes } from './reports/routes.ts';
import { reportTools } from './reports/tools.ts';
import { taxGraph } from './taxes/graph.ts';
import { sellerGraph } from './seller/graph.ts';
import type { SellerPorts } from './seller/seller.ts';
import { sellerTools } from './seller/tools.ts';
import { taxTools } from './taxes/tools.ts';

import { w9Graph } from './taxforms/graph.ts';
import { taxFormRoutes } from './taxforms/routes.ts';
import type { TaxFormPorts } from './taxforms/record-w9.ts';
import { taxFormTools } from './taxforms/tools.ts';

export const name = 'accounting';
export { accountingSettings as settings } from './settings.ts';
export { accountingNouns as nouns } from './nouns.ts';
export { finders } from './finders.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { grammar, published } from './events.ts';
export { booksFail as errors };
export { openBooks as provision } from './books/open.ts';
export { baseCurrency, currencyOfBooks } from './books/base-currency.ts';
export { attachedBytes } from './attachments/bytes.ts';
export { eraseParties, type ErasedParties } from './parties/erase.ts';
export { bankAccountsOf } from './accounts/banks.ts';
export { isUnexplained } from './bank/unexplained.ts';
export { type AccountFor, accountsFor } from './accounts/for.ts';
export { dayText } from './money/schema.ts';
export { allocateCredit } from './allocations/make.ts';
export { createDocument } from './documents/create.ts';
export { type Document } from './documents/document.ts';
export { type BookedFigures, figuresIn } from './documents/figures.ts';
export { inTurn, renderPdf } from './documents/pdf/render.ts';
export { getDocument } from './documents/get.ts';
export { issueDocument } from './documents/issue.ts';
export { voidDocument } from './documents/void.ts';
export { posting as postingTraits } from './journal/traits.ts';
export type { HoldingContacts } from './parties/contacts.ts';
export { customerOf, type Customer } from './parties/customer-of.ts';
export { getPayment } from './payments/get.ts';
export { decimalIn, type DocumentLanguage, documentWords } from './documents/words.ts';
export { languageOfSeller } from './seller/language.ts';
export { paymentDetails } from './seller/payment-details.ts';
export { renamedSince } from './seller/renamed.ts';
export type { SellerPorts } from './seller/seller.ts';
export { recordPayment } from './payments/record.ts';
export { booked, type Shown as Booked } from './subledger/shown.ts';
export { partiesOf } from './parties/parties-of.ts';
export { recorded } from './recorded.ts';
export { balanceOf, movedByEntries } from './journal/moved.ts';
export { paidBy } from './allocations/paid.ts';
export { payersOf } from './allocations/payers.ts';
export { posted, taken, takenRows } from './journal/taken.ts';
export { worth } from './rates/worth.ts';
export { areAlike, readRate } from './rates/rate.ts';
export { type Amounts, type Pricing, withTax } from './documents/totals.ts';
import type { TaxPorts } from './taxes/archive.ts';
export { archiveTax } from './taxes/archive.ts';
export { createTax } from './taxes/create.ts';
export { listTaxes } from './taxes/list.ts';
export { taxesNamed } from './taxes/named.ts';
export { divideRounded, formatPercentage, parsePercentage, type Percentage } from './taxes/percentage.ts';
export { recordEntry, recordWithEffects, type EntryInput } from './journal/record.ts';
export { generalLedger } from './reports/general-ledger.ts';
export { trialBalance } from './reports/trial-balance.ts';

export interface Accounting {
  readonly serves: readonly [{ readonly at: 'accounting'; readonly routes: readonly Route[] }];
  /** The accounting fields of the GraphQL API. */
  readonly graph: GraphModule;
  readonly consumers: readonly Consumer[];
  /** What providers send to the address of accounting. */
  readonly receivers: readonly Receiver[];
}

export const tools: readonly Tool<PartyPorts & TaxFormPorts & TaxPorts & SellerPorts>[] = [
  ...accountTools,
  ...attachmentTools,
  ...bankTools,
  ...reconciliationTools,
  ...ruleTools,
  ...feedTools,
  ...journalTools,
  ...openingTools,
  ...periodTools,
  ...rateTools,
  ...reportTools,
  ...partyTools,
  ...taxTools,
  ...taxFormTools,
  ...sellerTools,
  ...documentTools,
  ...paymentTools,
  ...agedTools,
];

export function create(
  ports: {
    identity: Identity;
    addresses: Addresses;
    /** Seals taxpayers' numbers; the same in every process. */
    secret: Uint8Array;
    decider: Pick<Decider, 'requireFor'>;
    contacts: Contacts;
    toolCatalogue: Pick<Catalogue, 'bind'>;
    audit: Pick<Audit, 'secrets'>;
    config: AccountingSettings;
    log: Log;
  } & SellerPorts &
    TaxPorts,
): Accounting {
  const guard = ports.identity.tenant(ports.addresses.accounting);
  ports.toolCatalogue.bind(tools, ports);
  return {
    consumers: [matchConsumer],
    receivers: accountingReceivers(ports),
    graph: (builder) => {
      for (const module of [
        accountGraph,
        journalGraph,
        periodGraph,
        bankGraph,
        reconciliationGraph,
        flowGraph,
        reportGraph,
        partyGraph(ports.contacts),
        taxGraph(ports),
        documentGraph(ports),
        sellerGraph,
        paymentGraph,
        agedGraph,
        attachmentGraph,
        w9Graph(ports.secret),
        rateGraph,
        ruleGraph,
        openingGraph,
      ])
        module(builder);
    },
    serves: [
      {
        at: 'accounting',
        routes: [
          ...accountRoutes(guard),
          ...documentRoutes(guard, ports),
          ...reportRoutes(guard),
          ...attachmentRoutes(guard),
          ...taxFormRoutes(guard, ports.secret, ports.decider),
        ],
      },
    ],
  };
}
