import type { FunnelField, FunnelPage } from '../../funnels/publication/model'
import type { Current } from './current'
import { readShown } from './current-shown'
import { targetingNamesOf } from './current-targeting'
import type { FunnelState, PlacementRowState, PlacementState } from './model'
import { sortDeep } from './sorted'

type Members = Record<string, unknown>

/** The sections of funnels and placements. */
export function shownContent({ targeting, catalog }: Current): Members {
  const offerings = new Map(catalog.offerings.map(({ id, identifier }) => [id, identifier]))
  const { funnels, placements } = readShown(targeting, targetingNamesOf(targeting), offerings)
  return {
    funnels: byName(funnels.map(({ name, state }) => [name, funnelContent(state)])),
    placements: byName(placements.map(({ name, state }) => [name, placementContent(state)])),
  }
}

const byName = (objects: [name: string, content: Members][]): Members =>
  Object.fromEntries(objects.sort(([a], [b]) => (a < b ? -1 : 1)))

/** Without the members that are null, undefined or empty: absent, they are the same. */
const given = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value != null && (typeof value !== 'object' || Object.keys(value).length > 0),
    ),
  )

const funnelContent = ({ name, defaultLocale, locales, published, theme, settings, pages }: FunnelState): Members => ({
  name,
  defaultLocale,
  ...(locales.join() !== defaultLocale && { locales }),
  ...given({
    publish: published === 'current' ? true : null,
    theme: sortDeep(theme),
    settings: given({ offering: settings.offering }),
    pages: pages.map(pageContent),
  }),
})

const pageContent = ({ id, type, title, fields, next }: FunnelPage): Members =>
  given({
    id,
    type,
    title: sortDeep(title),
    fields: fields.map(fieldContent),
    next: given({ rules: next.rules, default: next.default }),
  })

const fieldContent = ({ id, kind, required, options, min, max }: FunnelField): Members =>
  given({
    id,
    kind,
    required: required ? true : null,
    options: options.map((option) => given({ id: option.id, label: sortDeep(option.label) })),
    min,
    max,
  })

const placementContent = ({ name, isActive, rows }: PlacementState): Members => ({
  name,
  ...(!isActive && { isActive }),
  ...given({ rows: rows.map(rowContent) }),
})

const rowContent = ({ audience, target }: PlacementRowState): Members => ({
  audience,
  target: target.type === 'none' ? 'none' : withoutType(target),
})

const withoutType = ({ type: _type, ...named }: Exclude<PlacementRowState['target'], { type: 'none' }>): Members =>
  named
