import type { FunnelContent } from '../../src/core/funnel/model'
import { touchConfig } from '../../src/projects/project/service'
import type { Stage } from './cast'

type Tables = Stage['ctx']['tables']
type FunnelRow = Tables['funnels']['$inferInsert']
type PlacementRow = Tables['placements']['$inferInsert']

export const CONTENT: FunnelContent = {
  pages: [{ id: 'done', type: 'success', title: { en: 'Ready' }, fields: [], next: { rules: [], default: null } }],
  theme: { accent: '#d97757' },
  settings: {},
  defaultLocale: 'en',
  locales: ['en', 'tr'],
}

interface Rows {
  /** Published in version 1 unless the row states otherwise; `document` is the content of the version. */
  funnels?: (Partial<FunnelRow> & { id: string; document?: FunnelContent })[]
  placements?: (Partial<PlacementRow> & { rows: PlacementRow['rows'] })[]
}

let count = 0

/** Writes funnels and placements directly into the tables, as a committed change. */
export async function place(s: Stage, rows: Rows, projectId = s.project.id): Promise<void> {
  const stamps = { projectId, createdAt: s.ctx.clock.now(), updatedAt: s.ctx.clock.now() }
  await s.ctx.write(async (tx) => {
    const { funnels, funnelVersions, placements } = tx.tables
    for (const { document = CONTENT, ...row } of rows.funnels ?? []) {
      const funnel = {
        ...stamps,
        slug: row.id,
        name: row.id,
        status: 'PUBLISHED' as const,
        currentVersionNo: 1,
        ...row,
      }
      await tx.db.insert(funnels).values({ ...funnel, draft: CONTENT })
      if (funnel.currentVersionNo == null) continue
      await tx.db.insert(funnelVersions).values({
        id: `fnv_${projectId}_${row.id}`,
        projectId,
        funnelId: row.id,
        versionNo: funnel.currentVersionNo,
        document: { ...document, configFormatVersion: 1 },
        publishedAt: stamps.createdAt,
      })
    }
    for (const row of rows.placements ?? []) {
      const plain = { id: `plc_${String(++count).padStart(26, '0')}`, identifier: 'onboarding', name: 'P', revision: 4 }
      await tx.db.insert(placements).values({ ...stamps, ...plain, isActive: true, ...row })
    }
    await touchConfig(tx, projectId)
  })
}

export async function clearPlacements(s: Stage): Promise<void> {
  await s.ctx.write(async (tx) => {
    const { funnels, funnelVersions, placements } = tx.tables
    for (const table of [funnels, funnelVersions, placements]) await tx.db.delete(table)
    for (const { id } of [s.project, s.other]) await touchConfig(tx, id)
  })
}

export const FUNNEL = (funnelId: string, audienceId: string | null = null) => ({
  audienceId,
  target: { type: 'funnel' as const, funnelId },
})
export const EXPERIMENT = (experimentId: string, audienceId: string | null = null) => ({
  audienceId,
  target: { type: 'experiment' as const, experimentId },
})
export const NONE = { audienceId: null, target: { type: 'none' as const } }
