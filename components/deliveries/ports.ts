import type { Decider, ReadAccessProfile } from '@steward/access';
import type { Secrets } from '@steward/audit';
import type { Tenancy } from '@steward/sql';
import type { Announced } from './announced.ts';

/** What verbs of webhooks need beside their tenant. */
export interface DeliveriesPorts {
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly accessProfile: ReadAccessProfile;
  readonly decider: Pick<Decider, 'requireFor'>;
  readonly tenancy: Pick<Tenancy, 'systemContext'>;
  /** Every type that some component announces. */
  readonly announced: Announced;
  /** Whether requests may go there, as far as the text of the address tells. @throws AddressRefused */
  judge(address: URL): void;
  /** Called once a change of the webhook, or of what waits for it, is committed. */
  changed(tenant: string, endpointId: string): void;
}
