import type { PathsWithMethod } from 'openapi-typescript-helpers'
import type { paths } from './schema'

type GetPath = PathsWithMethod<paths, 'get'>

const P = '/dashboard/projects/{projectId}'

/** Lists whose rows have a path of their own: the list's and the id. */
export const WITH_ITEMS: readonly GetPath[] = [
  `${P}/access`,
  `${P}/assets`,
  `${P}/assistant/intents`,
  `${P}/assistant/threads`,
  `${P}/audiences`,
  `${P}/billing/invoices`,
  `${P}/compare/runs`,
  `${P}/custom-domains`,
  `${P}/events`,
  `${P}/experiments`,
  `${P}/feature-flags`,
  `${P}/funnels`,
  `${P}/imports`,
  `${P}/offerings`,
  `${P}/placements`,
  `${P}/products`,
  `${P}/store-events`,
  `${P}/subscribers`,
  `${P}/webhook-deliveries`,
  `${P}/webhook-endpoints`,
  '/dashboard/projects',
]

/** Lists that the server writes as a file. Their screens have the link to it. */
export const OWN_FILES: readonly GetPath[] = [`${P}/subscriptions`, `${P}/transactions`]

interface ScreenObject {
  /** The screen below the project. */
  screen: string
  /** What reads the object: the last parameter is the last part of the screen's path. */
  path: GetPath
  /** The screen does not show the id by itself. */
  isUnnamed?: boolean
}

/** The objects that have a screen of their own. */
export const OBJECTS: readonly ScreenObject[] = [
  { screen: '/subscribers/:id', path: `${P}/subscribers/{id}` },
  { screen: '/catalogue/products/:id', path: `${P}/products/{id}`, isUnnamed: true },
  { screen: '/catalogue/offerings/:id', path: `${P}/offerings/{id}`, isUnnamed: true },
  { screen: '/growth/flags/:key', path: `${P}/feature-flags/by-key/{key}` },
  { screen: '/growth/experiments/:id', path: `${P}/experiments/{id}`, isUnnamed: true },
  { screen: '/growth/placements/:id', path: `${P}/placements/{id}`, isUnnamed: true },
  { screen: '/growth/funnels/:id', path: `${P}/funnels/{id}`, isUnnamed: true },
  { screen: '/growth/funnels/sessions/:id', path: `${P}/funnel-sessions/{id}` },
  { screen: '/growth/audiences/:id', path: `${P}/audiences/{id}`, isUnnamed: true },
  { screen: '/charts/cohorts/:id', path: `${P}/cohorts/{id}/members`, isUnnamed: true },
  { screen: '/charts/leaderboards/:id', path: `${P}/leaderboards/{id}/entries`, isUnnamed: true },
  { screen: '/charts/:id', path: `${P}/charts/{chartId}` },
  { screen: '/connections/stores/:store', path: `${P}/apps` },
  { screen: '/connections/webhooks/:id', path: `${P}/webhook-endpoints/{id}` },
  { screen: '/connections/deliveries/:id', path: `${P}/webhook-deliveries/{id}` },
  { screen: '/connections/integrations/:id', path: `${P}/integrations` },
  { screen: '/connections/imports/:id', path: `${P}/imports/{id}` },
  { screen: '/connections/comparisons/:id', path: `${P}/compare/runs/{id}` },
  { screen: '/settings', path: P },
]

/** The object of a screen; `null` for lists and for new objects. */
export function objectAt(screen: string): { path: GetPath; id: string; isUnnamed: boolean } | null {
  for (const { screen: pattern, path, isUnnamed = false } of OBJECTS) {
    const found = new RegExp(`^${pattern.replace(/:\w+$/, '([^/]+)')}$`).exec(screen)
    const id = found?.[1] ?? ''
    if (found && id !== 'new' && !isList(screen)) return { path, id: decodeURIComponent(id), isUnnamed }
  }
  return null
}

/** `/charts/sql` looks like a chart. */
const isList = (screen: string): boolean => ['/charts/sql', '/charts/cohorts', '/charts/leaderboards'].includes(screen)
