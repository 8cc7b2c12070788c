import type { Tier } from '../../base/config-cloud'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { currentPlan } from '../../projects/billing/service'
import { findProject, type ProjectRow } from '../../projects/project/service'
import { allSettings } from '../../projects/project/settings'
import { summariseMembers } from '../members/service'
import type { ProjectFigures } from './figures'
import { listStores, summariseKeys } from './queries'

export { pageProjects } from './queries'

/** Projects with what a platform administrator sees of each. */
export async function toProjectSummaries(ctx: Context, rows: readonly ProjectRow[]) {
  const ids = rows.map(({ id }) => id)
  const [members, keys, figures, tiers] = await Promise.all([
    summariseMembers(ctx, ids),
    summariseKeys(ctx, ids),
    figuresOf(ctx, ids),
    tiersOf(ctx, ids),
  ])
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    ownerEmail: members.get(row.id)?.ownerEmail ?? null,
    members: members.get(row.id)?.members ?? 0,
    subscribers: figures.get(row.id)?.subscribers ?? 0,
    mrr: figures.get(row.id)?.mrr ?? null,
    tier: tiers.get(row.id) ?? null,
    suspendedAt: toIsoOrNull(row.suspendedAt),
    lastActivityAt: toIso(Math.max(keys.get(row.id)?.usedAt ?? 0, row.updatedAt)),
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }))
}

/** The plan of each project; empty where projects are not billed. */
async function tiersOf(ctx: Context, ids: readonly string[]): Promise<Map<string, Tier>> {
  const plans = await Promise.all(ids.map((id) => currentPlan(ctx, id)))
  return new Map(plans.flatMap((plan, at) => (plan ? [[ids[at] ?? '', plan.tier] as const] : [])))
}

async function figuresOf(ctx: Context, ids: readonly string[]): Promise<Map<string, ProjectFigures>> {
  const all = new Map<string, ProjectFigures>()
  if (ids.length === 0) return all
  for (const figuresFor of ctx.hooks.projectFigures ?? [])
    for (const [id, figures] of await figuresFor(ctx, ids)) all.set(id, { ...all.get(id), ...figures })
  return all
}

/** One project. 404 when it does not exist or was deleted. */
export async function getProjectDetails(ctx: Context, id: string) {
  const row = await findProject(ctx, id)
  if (!row) throw notFound('project', id)
  const [[summary], keys, stores] = await Promise.all([
    toProjectSummaries(ctx, [row]),
    summariseKeys(ctx, [id]),
    listStores(ctx, id),
  ])
  if (!summary) throw notFound('project', id)
  return { ...summary, keys: keys.get(id)?.keys ?? 0, stores, settings: allSettings(row.settings) }
}
