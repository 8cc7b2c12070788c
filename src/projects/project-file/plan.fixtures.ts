import { SECTIONS } from '../../../test/support/sections'
import type { RowChanges } from '../../base/db/row-changes'
import { createIds } from '../../base/lib/ids'
import type { FunnelChange, SavedFunnel } from '../../funnels/publication/service'
import type { Audience } from '../../targeting/audiences/service'
import type { CurrencyGrant, Product } from '../catalog/snapshot'
import { changesOf } from './changes'
import { formatDiff } from './diff'
import { currentOf, EMPTY, type Facts, type Held } from './held.fixtures'
import { parseProjectFile } from './parse'
import { type Plan, planProjectFile } from './plan'
import { rowsOf } from './rows'

const NOW = 1_000
let count = 0
const ids = createIds(
  () => NOW,
  (length) => Uint8Array.from({ length }, () => (count = (count + 1) % 251)),
)

export function planOf(text: string, held: Held = EMPTY, facts: Partial<Facts> = {}): Plan {
  const parsed = parseProjectFile(SECTIONS, `version: 1\n${text}`, { env: () => null, file: () => null })
  if ('unreadable' in parsed || parsed.problems.length > 0) throw new Error(`${text}\n${JSON.stringify(parsed)}`)
  return planProjectFile(parsed, currentOf(held, facts), { prune: facts.prune ?? false, now: 0 })
}

const merge = <Row extends { id: string }>(
  rows: readonly Row[],
  { created, updated, deletedIds }: RowChanges<Row>,
): Row[] => {
  const gone = new Set([...deletedIds, ...updated.map(({ id }) => id)])
  return [...rows.filter(({ id }) => !gone.has(id)), ...updated, ...created]
}

/** The rows in the database after a plan was written. */
export function applied(plan: Plan, held: Held): Held {
  const { changes } = rowsOf(plan, currentOf(held), ids, NOW)
  const of = <Row>(section: keyof Held): RowChanges<Row> => changes.get(section) as RowChanges<Row>
  const { products, grants } = changes.get('products') as { products: RowChanges<Product>; grants: CurrencyGrant[] }
  const audiences = changes.get('audiences') as { audiences: RowChanges<Audience> }
  const rewritten = new Set([...products.updated.map(({ id }) => id), ...products.deletedIds])
  const { created, updated, deletedIds } = of<FunnelChange>('funnels')
  const written = (made: readonly FunnelChange[]) => made.map((change) => funnelAfter(change, held))
  return {
    access: merge(held.access, of('access')),
    virtualCurrencies: merge(held.virtualCurrencies, of('virtualCurrencies')),
    products: merge(held.products, products),
    grants: [...held.grants.filter(({ productId }) => !rewritten.has(productId)), ...grants],
    offerings: merge(held.offerings, of('offerings')),
    audiences: merge(held.audiences, audiences.audiences),
    flags: merge(held.flags, of('flags')),
    experiments: merge(held.experiments, of('experiments')),
    funnels: merge(held.funnels, { created: written(created), updated: written(updated), deletedIds }),
    placements: merge(held.placements, of('placements')),
  }
}

function funnelAfter({ isPublished, ...change }: FunnelChange, { funnels }: Held): SavedFunnel {
  const saved = funnels.find(({ id }) => id === change.id)
  const stamps = { projectId: 'prj_1', createdAt: NOW, updatedAt: NOW }
  const row = { status: 'DRAFT' as const, currentVersionNo: null, published: null, ...stamps, ...saved, ...change }
  if (!isPublished) return row
  const published = { ...change.draft, configFormatVersion: 1 }
  return { ...row, status: 'PUBLISHED', currentVersionNo: (saved?.currentVersionNo ?? 0) + 1, published }
}

export const having = (text: string, held: Held = EMPTY): Held => applied(planOf(text, held), held)
export const shown = (plan: Plan): string[] => formatDiff(changesOf(plan), plan.keptSecrets)
export const refused = (plan: Plan) => plan.problems.map(({ code, details, path }) => [code, path.join('.'), details])
