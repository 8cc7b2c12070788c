import { Type } from '@sinclair/typebox'
import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { lockAudit, recordOwnAudit } from './audit'
import { listAuditRows } from './audit-queries'
import { digestsOf, toReductions } from './reduction'

/** Rows whose digests are appended in one transaction. */
const PAGE = 2000

/**
 * Appends the missing digests of rows that an earlier version has reduced. Only the migration to the version with these
 * digests enqueues it. Repeated later, it would also prove what somebody has changed in the database.
 */
export const proveFormerJob = defineJob({
  name: 'audit.prove-former',
  payload: Type.Object({}, { additionalProperties: false }),
  async handle(ctx, _payload, isStopping) {
    for (const projectId of await listReducedProjects(ctx))
      if (!(await proveFormer(ctx, projectId, isStopping))) return goOnLater(ctx)
  },
})

async function goOnLater(ctx: Context): Promise<void> {
  await ctx.write((tx) => enqueue(tx, proveFormerJob, {}))
}

/** Whether all of it is done; false when the process stops. */
async function proveFormer(ctx: Context, projectId: string, isStopping: () => boolean): Promise<boolean> {
  for (let after: number | null = -1; after !== null; ) {
    if (isStopping()) return false
    const last: number = after
    after = await ctx.write((tx) => provePage(tx, projectId, last))
  }
  return true
}

/** Returns the position of the last row; null when there is no more. */
async function provePage(tx: Tx, projectId: string, after: number): Promise<number | null> {
  await lockAudit(tx, projectId)
  const rows = await listReduced(tx, projectId, after)
  const first = rows[0]
  if (!first) return null
  const proven = await listProven(tx, projectId, first.position)
  const unproven = rows.filter(({ id }) => !proven.has(id))
  await recordOwnAudit(tx, projectId, toReductions(projectId, unproven, true))
  return rows.at(-1)?.position ?? null
}

async function listReducedProjects({ db, tables: { auditLog: a } }: Handle): Promise<string[]> {
  const rows = await db.selectDistinct({ projectId: a.projectId }).from(a).where(isNotNull(a.reducedAt))
  return rows.map(({ projectId }) => projectId)
}

function listReduced({ db, tables: { auditLog: a } }: Handle, projectId: string, after: number) {
  const { position, id, at, actor, action, target, via } = a
  const isNext = and(eq(a.projectId, projectId), isNotNull(a.reducedAt), gt(position, after))
  const rows = db.select({ position, id, at, actor, action, target, via }).from(a).where(isNext)
  return rows.orderBy(asc(position)).limit(PAGE)
}

/** Ids of the rows that entries after a position are about. */
async function listProven(handle: Handle, projectId: string, after: number): Promise<Set<string>> {
  const proven = new Set<string>()
  for (let last = after; ; ) {
    const rows = await listAuditRows(handle, projectId, last, PAGE)
    for (const { id } of rows.flatMap(digestsOf)) proven.add(id)
    last = rows.at(-1)?.position ?? last
    if (rows.length < PAGE) return proven
  }
}
