import type { Schemas } from '../api/schemas'
import { isScreen } from '../lib/warm'

type Hit = Schemas['SearchHit']

/** The screen of an object below the project, and the list that it is in where it has no screen of its own. */
const SCREENS: Record<Hit['kind'], readonly string[]> = {
  subscriber: ['/subscribers/:id'],
  purchase: ['/revenue'],
  transaction: ['/revenue/transactions'],
  product: ['/catalogue/products/:id', '/catalogue/:id', '/catalogue'],
  access: ['/catalogue/access/:id', '/catalogue/access'],
  offering: ['/catalogue/offerings/:id', '/catalogue/offerings'],
  flag: ['/growth/flags/:name', '/growth'],
  experiment: ['/growth/experiments/:id', '/growth/experiments'],
  audience: ['/growth/audiences/:id', '/growth/audiences'],
  placement: ['/growth/placements/:id', '/growth/placements'],
  funnel: ['/growth/funnels/:id', '/growth'],
  endpoint: ['/connections/webhooks/:id', '/connections/webhooks'],
  member: ['/settings/members'],
}

/** The address of an object that a search found: of a purchase and of a transaction the person, opened at it. */
export const hrefOf = (base: string, { kind, id, title, subscriberId, purchaseId }: Hit): string =>
  subscriberId && purchaseId
    ? `${base}/subscribers/${encodeURIComponent(subscriberId)}?purchase=${encodeURIComponent(purchaseId)}`
    : firstScreen(base, SCREENS[kind], id, title)

/**
 * Screens by the prefix of an id, for going to an object before the search has answered. Whose a purchase or a
 * transaction is only the search knows.
 */
const DIRECT: Record<string, readonly string[]> = {
  sub: SCREENS.subscriber,
  prd: SCREENS.product,
  off: SCREENS.offering,
  exp: SCREENS.experiment,
  aud: SCREENS.audience,
  plc: SCREENS.placement,
  whe: SCREENS.endpoint,
  whd: ['/connections/deliveries/:id'],
  evt: ['/connections/events?event=:id'],
  sev: ['/connections/store-events?event=:id'],
  coh: ['/charts/cohorts/:id'],
  ldb: ['/charts/leaderboards/:id'],
  imp: ['/connections/imports/:id'],
  int: ['/connections/integrations/:id'],
  cmp: ['/connections/comparisons/:id'],
  acc: ['/catalogue/access?do=edit&id=:id'],
  vcy: ['/catalogue/currencies?do=edit&id=:id'],
  key: ['/settings/api-keys?key=:id'],
}

/** The address of the object that a typed id names; null when the text is no id of a known kind. */
export function hrefOfId(base: string, text: string): string | null {
  const [, prefix = ''] = /^([a-z]{3})_[0-9a-z]{20,}$/.exec(text) ?? []
  const paths = DIRECT[prefix]
  return paths ? firstScreen(base, paths, text, text) : null
}

function firstScreen(base: string, paths: readonly string[], id: string, name: string): string {
  const all = paths.map(
    (path) => base + path.replace(':id', encodeURIComponent(id)).replace(':name', encodeURIComponent(name)),
  )
  return all.find(isScreen) ?? all.at(-1) ?? base
}
