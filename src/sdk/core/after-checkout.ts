import type { Core } from './core'
import { CHECKOUT } from './keys'
import type { Reads } from './reads'

/** What the page of the provider returns to, and what the user had before. */
export interface CheckoutMark {
  page: string
  had: string[]
}

const WAITS = [1000, 2000, 4000, 8000, 8000, 7000]

/** After a return from the page of the provider: waits for the purchase, because the message about it may come later. */
export async function afterCheckout(core: Core, reads: Reads): Promise<void> {
  const mark = core.memory.get<CheckoutMark>(CHECKOUT)
  core.memory.set(CHECKOUT, undefined)
  if (!mark || !core.globals.location?.href.startsWith(mark.page)) return
  for (const wait of WAITS) {
    const { value } = await reads.read('entitlements', 0)
    if (value.some(({ id, isActive }) => isActive && !mark.had.includes(id))) return
    await core.sleep(wait)
  }
}
