import { listPublished } from './queries'

/** Every funnel that is published, with the version that stands; broken ones by their ids. */
export const readPublished = listPublished
