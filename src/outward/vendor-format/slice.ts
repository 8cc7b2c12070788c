import { slice } from '../../base/slice'

/** The bodies of webhooks in the form of another vendor. The webhooks send them. */
export const vendorFormat = slice({ name: 'vendor-format' })
