import type { Schemas } from '../../api/schemas'
import { makeStore } from '../../lib/store'

/** What was bought by the button, so that it is shown beside what the stream tells. */
export const BOUGHT = makeStore<{ projectId: string; bought: Schemas['TestPurchase'] } | null>(null)

/** The device key in the commands, and of who buys by the button. */
export const DEVICE = 'svc_first_device'
