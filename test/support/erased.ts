import type { ErasedPerson } from '../../src/people/subscribers/hooks'

/** A person with one row, for a test of what one slice does at an erasure. */
export const personOf = ({ id, deviceKey }: { id: string; deviceKey: string }): ErasedPerson => ({
  ...{ ids: [id], deviceKeys: [deviceKey], labels: [], purchaseIds: [], storeEventIds: [] },
})
