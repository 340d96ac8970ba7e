import type { TenantScope } from '@steward/sql';
import type { ShownPorts } from '../shown/shown.ts';
import { instructionsFor, isPaidToBusiness } from './handlers/handlers.ts';
import type { PaymentSettings } from './settings.ts';

/** What a buyer is told about a method: its instructions, or else where invoices say that the business is paid. Null: nothing is to be told. */
export async function howToPay(
  scope: Pick<TenantScope, 'context' | 'read'>,
  settings: Pick<PaymentSettings, 'manualMethods'>,
  choice: { readonly handler: string; readonly method: string },
  { paymentDetails }: Pick<ShownPorts, 'paymentDetails'>,
): Promise<string | null> {
  return instructionsFor(settings, choice) ?? (isPaidToBusiness(choice) ? paymentDetails(scope) : null);
}
