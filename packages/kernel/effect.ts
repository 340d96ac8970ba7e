/**
 * What a request does, said where its route or field is declared, so that one admission judges it alike by every door:
 * what the tool of that name does; something of a pillar that no tool does; what people alone may do, which the route sees
 * to itself as well; or nothing of any tenant's. `services`: the platform's own service tokens may do it, which do nothing else
 * on the public listener.
 */
export type Effect =
  | `service_${string}`
  | { readonly pillar: string; readonly tier: 'read' | 'write'; readonly services?: true }
  | 'for_people'
  | 'for_anyone';
