/** A shop at a marketplace, as `GET /api/channels` lists it. */
export interface Channel {
  readonly id: string;
  readonly provider: string;
  readonly shop: string;
  readonly name: string;
  readonly brandId: string;
  readonly locationId: string;
  readonly stock: Side;
  readonly shopLocationId: string | null;
  readonly shopLocations: readonly { readonly id: string; readonly name: string }[];
  readonly products: Describes;
  readonly scopes: readonly string[];
  readonly status: 'connected' | 'disconnected';
  readonly listening: boolean;
  readonly imports: readonly {
    readonly kind: 'webhooks' | 'products' | 'orders';
    readonly state: 'due' | 'done' | 'failed';
    readonly done: number;
    readonly failed: number;
    readonly total: number | null;
    readonly lastError: string | null;
  }[];
  readonly stockState: InStep | null;
  readonly stockToLookAt: readonly { readonly variantId: string; readonly because: string }[];
  readonly productState: InStep | null;
  readonly productsToLookAt: readonly {
    readonly productId: string;
    readonly because: string;
    readonly detail: string | null;
  }[];
  readonly ordersToLookAt: readonly {
    readonly orderId: string;
    readonly externalName: string;
    readonly attention: readonly string[];
  }[];
  readonly dataRequests: readonly DataRequest[];
  readonly connectedAt: string;
}

export const sides = ['none', 'here', 'shop'] as const;
export type Side = (typeof sides)[number];
export const describing = ['shop', 'here'] as const;
export type Describes = (typeof describing)[number];

export interface InStep {
  readonly waiting: number;
  readonly lastError: string | null;
}

export interface DataRequest {
  readonly id: string;
  readonly contactId: string | null;
  readonly orderIds: readonly string[];
  readonly requestedAt: string;
}

/** How an import of its kind stands. */
export const importOf = ({ imports }: Channel, kind: Channel['imports'][number]['kind']): string | undefined =>
  imports.find((one) => one.kind === kind)?.state;

/** No event tells how far it is. */
export const isUnderWay = ({ status, imports, stockState, productState }: Channel): boolean =>
  status === 'connected' &&
  (imports.some(({ state }) => state === 'due') ||
    [stockState, productState].some((one) => one !== null && one.waiting > 0 && one.lastError === null));
