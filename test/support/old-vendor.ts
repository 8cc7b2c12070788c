import { atEnd } from './cleanup'

export const VENDOR_KEY = 'sk_of_the_old_vendor'

type Json = Record<string, unknown>

/** A stand-in of the service that a project leaves, on a loopback port. */
export interface OldVendor {
  url: string
  /** The members of `subscriber`, by the person's id. */
  people: Map<string, Json>
  /** The ids that were asked about, in the order of the calls that were answered. */
  asked: string[]
  /** People who were unknown until they were asked about, and are customers there now. */
  created: Set<string>
  /** Every request's headers. */
  headers: Record<string, string>[]
  /** Answers in place of the stand-in; null = the stand-in answers. */
  trouble: (id: string, count: number) => Response | Promise<Response | null> | null
  close(): Promise<void>
}

export const seconds = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`

const PATH = /^\/v1\/subscribers\/([^/]+)$/

/** `now`: the clock of the vendor. */
export function startOldVendor(now: () => number): OldVendor {
  let count = 0
  const vendor: OldVendor = {
    ...{ url: '', people: new Map(), asked: [], created: new Set(), headers: [] },
    trouble: () => null,
    close: () => server.stop(true),
  }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
    async fetch(request) {
      const [, encoded] = PATH.exec(new URL(request.url).pathname) ?? []
      if (encoded === undefined || request.method !== 'GET') return Response.json({ code: 7000 }, { status: 404 })
      vendor.headers.push(Object.fromEntries(request.headers))
      const id = decodeURIComponent(encoded)
      const trouble = await vendor.trouble(id, ++count)
      if (trouble) return trouble
      if (request.headers.get('authorization') !== `Bearer ${VENDOR_KEY}`)
        return Response.json({ code: 7225, message: 'Invalid API key.' }, { status: 401 })
      vendor.asked.push(id)
      return answer(vendor, id, now())
    },
  })
  vendor.url = `http://127.0.0.1:${server.port}`
  atEnd(() => vendor.close())
  return vendor
}

function answer(vendor: OldVendor, id: string, at: number): Response {
  const isNew = !vendor.people.has(id)
  if (isNew) {
    vendor.created.add(id)
    vendor.people.set(id, { original_app_user_id: id, first_seen: seconds(at) })
  }
  const subscriber = {
    ...{ original_app_user_id: id, original_application_version: null, original_purchase_date: null },
    ...{ first_seen: seconds(at - 400 * 86_400_000), last_seen: seconds(at), management_url: null },
    ...{ entitlements: {}, subscriptions: {}, non_subscriptions: {}, other_purchases: {}, subscriber_attributes: {} },
    ...vendor.people.get(id),
  }
  const body = { request_date: seconds(at), request_date_ms: at, subscriber }
  return Response.json(body, { status: isNew ? 201 : 200 })
}
