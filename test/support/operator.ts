import { expect } from 'bun:test'
import type { Answer, Stage } from './cast'
import { dumpOf } from './dump'

const TABLES = [
  'projects',
  'access',
  'products',
  'offerings',
  'virtualCurrencies',
  'audiences',
  'flags',
  'experiments',
  'placements',
  'funnels',
  'funnelVersions',
  'webhookEndpoints',
  'auditLog',
  'objectRevisions',
  'currencyGrants',
] as const

/** Everything that a call of the dashboard may write, as text that can be compared. */
export const configured = (s: Stage): Promise<string[]> => dumpOf(s.ctx, TABLES)

/** Expects that a call is refused with this status and code and writes nothing. Returns the details. */
export async function refused(s: Stage, call: () => Promise<Answer>, status: number, code: string) {
  const before = await configured(s)
  const answer = await call()
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code])
  expect(await configured(s)).toEqual(before)
  return answer.body.error.details
}

/** Expects that a call succeeds and writes audit rows with these actions, oldest first. Returns the data. */
export async function changes(s: Stage, call: () => Promise<Answer>, actions: string[], status = 200) {
  const before = new Set((await auditRows(s)).map(({ id }) => id))
  const answer = await call()
  if (answer.status !== status) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  const added = (await auditRows(s)).filter(({ id }) => !before.has(id))
  expect(added.map(({ action }) => action)).toEqual(actions)
  return answer.body.data
}

export async function auditRows(s: Stage) {
  const { auditLog } = s.ctx.tables
  return (await s.ctx.db.select().from(auditLog)).sort((a, b) => a.position - b.position)
}

/** Expects a success and returns the data. */
export async function dataOf(call: Promise<Answer>) {
  const answer = await call
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

export const ifMatch = (revision: number) => ({ headers: { 'if-match': `"${revision}"` } })
