import { DAY, HOUR } from '../../src/base/lib/clock'
import { QUERY_LIMITS } from '../../src/insight/sql-editor/model'
import { RunPool } from '../../src/insight/sql-editor/run-pool'
import { type Answer, type CastProject, COINS, MONTHLY, type Stage, stage, YEARLY } from './cast'
import { type Staff, staff } from './staff'
import { postSessions } from './telemetry'

/** A stage with rows in every view, for two projects, and its people. */
export interface SqlStage {
  s: Stage
  team: Staff
  /** Runs a query as a developer; the limit of a minute never counts. */
  query(sql: string, parameters?: unknown[]): Promise<Answer>
  /** Its rows; throws when it was refused. */
  rows(sql: string, parameters?: unknown[]): Promise<unknown[][]>
}

/** The texts that only rows of the other project have. */
export const FOREIGN = 'foreign'

export async function sqlStage(env: Record<string, string> = {}): Promise<SqlStage> {
  const s = await stage({ env })
  // The time of a query begins before its process has started, which takes long on a slow machine.
  s.ctx.state.sqlQueries = new RunPool({ ...QUERY_LIMITS, timeMs: 100_000 })
  const team = staff(s)
  for (const [project, name] of [
    [s.project, 'own'],
    [s.other, FOREIGN],
  ] as const)
    await fill(s, project, name)
  const query: SqlStage['query'] = (sql, parameters) => {
    s.ctx.clock.advance(2001)
    return team.as('DEVELOPER').post('/queries/execute', { sql, ...(parameters && { parameters }) })
  }
  return {
    s,
    team,
    query,
    rows: async (sql, parameters) => {
      const { status, body } = await query(sql, parameters)
      if (status !== 200) throw new Error(`${sql}: ${JSON.stringify(body)}`)
      return body.data.rows
    },
  }
}

async function fill(s: Stage, project: CastProject, name: string): Promise<void> {
  const [ada, bo, cy] = ['ada', 'bo', 'cy'].map((person) => `svc_${name}_${person}`) as [string, string, string]
  const key = project.publicKey
  done(await s.receipt(ada, s.buy(MONTHLY), { key }))
  done(await s.receipt(bo, s.buy(YEARLY), { key }))
  done(await s.receipt(bo, s.buy(COINS), { key }))
  const attributes = { $email: `${name}@example.com`, country: 'TR', level: '12', note: `${name} 50%_off "x"` }
  done(await s.post('/v1/me/attributes', { attributes }, { key, headers: { 'x-svc-app-user-id': ada } }))
  const at = s.ctx.clock.now()
  const session = (type: string, back: number, more: object = {}) => ({
    type,
    occurredAt: new Date(at - back).toISOString(),
    appVersion: `${name}-1.2`,
    ...more,
  })
  done(
    await postSessions(s, ada, [session('open', DAY), session('close', DAY - HOUR, { durationMs: 90_000 })], { key }),
  )
  done(await postSessions(s, cy, [session('open', HOUR)], { key }))
  await insertRows(s, project, name)
}

function done({ status, body }: Answer): void {
  if (status >= 300) throw new Error(JSON.stringify(body))
}

/** Rows that would take much to make by calls. */
async function insertRows(s: Stage, { id: projectId }: CastProject, name: string): Promise<void> {
  const now = s.ctx.clock.now()
  await s.ctx.write(async ({ db, tables: t }) => {
    const [person] = (await db.select().from(t.subscribers).orderBy(t.subscribers.id)).filter(
      (row) => row.projectId === projectId,
    )
    if (!person) throw new Error('there is no subscriber')
    const experimentId = `exp_${name}`
    await db.insert(t.experiments).values({
      id: experimentId,
      projectId,
      key: `${name}_checkout`,
      name: `${name} checkout`,
      type: 'REMOTE_CONFIG',
      status: 'RUNNING',
      variants: [],
      metrics: [],
      createdAt: now,
      updatedAt: now,
    } as never)
    await db.insert(t.assignments).values({
      experimentId,
      subscriberId: person.id,
      projectId,
      variantId: `var_${name}`,
      hashVersion: 1,
      assignedAt: now,
      exposedAt: now + 5,
      platform: 'ios',
      country: 'TR',
    })
    await db.insert(t.deliveries).values({
      id: `whd_${name}`,
      projectId,
      kind: 'WEBHOOK',
      targetId: `whe_${name}`,
      type: 'purchase.renewed',
      status: 'SUCCEEDED',
      attempts: 1,
      isTest: false,
      payload: `${name} payload`,
      log: [],
      createdAt: now,
    } as never)
  })
}
