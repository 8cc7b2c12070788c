import { listPublished, listFunnels as listRows } from './queries'

/** Every funnel that is published, with the version that stands; broken ones by their ids. */
export const readPublished = listPublished

/** A project's funnels with their drafts, by slug. */
export const listFunnels = listRows
