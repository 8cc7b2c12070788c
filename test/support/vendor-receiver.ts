/** The members that the receiver reads. */
interface Told {
  type: string
  id: string
  aliases: string[]
  entitlement_ids: string[] | null
  expiration_at_ms: number | null
  grace_period_expiration_at_ms: number | null
  original_transaction_id: string
  transferred_from: string[]
  transferred_to: string[]
}

interface Holding {
  ids: readonly string[]
  access: readonly string[]
  /** Null = for ever. */
  until: number | null
}

export interface VendorReceiver {
  url: string
  /** Type and status of each request, in order. */
  log: string[]
  /** The id of each request, in order. */
  ids: string[]
  /** The type whose next request is answered with 500, and not taken. */
  failNext: string | null
  /** What a person may use at an instant. */
  accessOf(id: string, now: number): string[]
  close(): Promise<void>
}

/** The types that say until when somebody has access. The others say nothing of it: access goes on until its end. */
const GIVES = new Set([
  'INITIAL_PURCHASE',
  'NON_RENEWING_PURCHASE',
  'RENEWAL',
  'UNCANCELLATION',
  'SUBSCRIPTION_EXTENDED',
  'REFUND_REVERSED',
])

/**
 * A receiver as the vendor tells its customers to write one: it keys on the id, finds people by all their ids, gives
 * access until `expiration_at_ms` or the end of the grace period, ends it at EXPIRATION, and moves it at TRANSFER.
 */
export function startVendorReceiver(authorization: string): VendorReceiver {
  const holdings = new Map<string, Holding>()
  const seen = new Set<string>()
  const take = (told: Told): void => {
    const { type, original_transaction_id: chain, grace_period_expiration_at_ms: grace } = told
    const held = holdings.get(chain)
    if (GIVES.has(type))
      holdings.set(chain, { ids: told.aliases, access: told.entitlement_ids ?? [], until: told.expiration_at_ms })
    if (type === 'BILLING_ISSUE' && grace !== null)
      holdings.set(chain, { ids: told.aliases, access: told.entitlement_ids ?? [], until: grace })
    if (type === 'EXPIRATION' && held) holdings.delete(chain)
    if (type !== 'TRANSFER') return
    for (const [key, one] of holdings)
      if (one.ids.some((id) => told.transferred_from.includes(id)))
        holdings.set(key, { ...one, ids: told.transferred_to })
  }
  const answer = (told: Told): number => {
    if (receiver.failNext === told.type) {
      receiver.failNext = null
      return 500
    }
    if (!seen.has(told.id)) take(told)
    seen.add(told.id)
    return 200
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const told: Told = (JSON.parse(await request.text()) as { event: Told }).event
      const status = request.headers.get('authorization') === authorization ? answer(told) : 401
      receiver.log.push(status === 200 ? told.type : `${told.type} ${status}`)
      receiver.ids.push(told.id)
      return new Response(null, { status })
    },
  })
  const receiver: VendorReceiver = {
    url: `http://127.0.0.1:${server.port}`,
    log: [],
    ids: [],
    failNext: null,
    accessOf(id, now) {
      const own = [...holdings.values()].filter(({ ids, until }) => ids.includes(id) && (until === null || until > now))
      return [...new Set(own.flatMap(({ access }) => access))].sort()
    },
    close: () => server.stop(true),
  }
  return receiver
}
