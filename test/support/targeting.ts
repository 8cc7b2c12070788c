import { expect } from 'bun:test'
import { AppError } from '../../src/base/errors'
import { canonicalJson } from '../../src/base/lib/hash'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import type { ProjectActor } from '../../src/projects/project/edit'
import type { Stage } from './cast'

export const by = (s: Stage, projectId = s.project.id): ProjectActor => ({ projectId, actor: CLI_ACTOR })

/** Everything that a change of targeting may write, as text that can be compared. */
export async function targetingRows(s: Stage): Promise<string[]> {
  const { projects, audiences, flags, experiments, auditLog } = s.ctx.tables
  const texts: string[] = []
  for (const table of [projects, audiences, flags, experiments, auditLog])
    for (const row of await s.ctx.db.select().from(table)) texts.push(canonicalJson(row))
  return texts.sort()
}

export interface Refused {
  status: number
  code: string
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: details have a shape for each code.
  details: any
}

/** Runs a change that must be refused, and expects that nothing was written. */
export async function refused(s: Stage, change: () => Promise<unknown>): Promise<Refused> {
  const before = await targetingRows(s)
  const error: unknown = await change().then(
    () => null,
    (thrown) => thrown,
  )
  if (!(error instanceof AppError)) throw error ?? new Error('it was not refused')
  expect(await targetingRows(s)).toEqual(before)
  return { status: error.status, code: error.refusal, message: error.message, details: error.details }
}

/** Runs a change that must have no effect: no row, no timestamp, no audit row and no version changes. */
export async function nothingWritten<Result>(s: Stage, change: () => Promise<Result>): Promise<Result> {
  const before = await targetingRows(s)
  s.ctx.clock.advance(1000)
  const result = await change()
  expect(await targetingRows(s)).toEqual(before)
  return result
}

/** The newest entry of the project's audit log. */
export async function lastAudit(s: Stage, count = 1) {
  const { auditLog } = s.ctx.tables
  const rows = (await s.ctx.db.select().from(auditLog)).sort((a, b) => a.position - b.position)
  return rows.slice(-count).map(({ action, actor, before, after }) => ({ action, actor, before, after }))
}
