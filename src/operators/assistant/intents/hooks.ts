import type { Handle } from '../../../base/db/handle'

declare module '../../../base/state' {
  interface SliceHooks {
    /** The owner of a purchase with the number of their latest event; null = there is no such purchase. */
    purchaseOwner: (
      handle: Handle,
      projectId: string,
      purchaseId: string,
    ) => Promise<{ id: string; seq: number } | null>
  }
}
