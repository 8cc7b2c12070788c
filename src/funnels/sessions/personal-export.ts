import { eq, inArray } from 'drizzle-orm'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ExportedPerson, OnExport } from '../../people/subscribers/hooks'
import { openedValue } from './answers'
import { listAnswers, type SessionRow } from './queries'

type Keys = Pick<Context, 'vault'>

/** For the data export of a person: their ways through funnels, with every answer; sensitive ones are opened. */
export const exportSessions: OnExport = (handle, _project, person, keys) => ({
  'funnels.jsonl': (async function* () {
    for (const session of await sessionsOf(handle, person)) {
      yield sessionRecord(session)
      yield* answersOf(handle, session, keys)
      yield* stepsOf(handle, session)
    }
  })(),
})

const sessionsOf = ({ db, tables: { funnelSessions: s } }: Handle, { ids }: ExportedPerson): Promise<SessionRow[]> =>
  db
    .select()
    .from(s)
    .where(inArray(s.subscriberId, [...ids]))
    .orderBy(s.id)

const sessionRecord = (row: SessionRow) => ({
  ...{ record: 'session', id: row.id, funnelId: row.funnelId, versionNo: row.versionNo, state: row.state },
  ...{ path: row.path, locale: row.locale, query: row.query, utm: row.utm, referrer: row.referrer },
  ...{ country: row.country, device: row.device, visitorId: row.visitorId, placement: row.placement },
  ...{ experimentId: row.experimentId, variantId: row.variantId, subscriberId: row.subscriberId },
  ...{ startedAt: toIso(row.startedAt), activeAt: toIso(row.activeAt) },
  ...{ paidAt: toIsoOrNull(row.paidAt), completedAt: toIsoOrNull(row.completedAt) },
})

async function* answersOf(handle: Handle, session: SessionRow, keys: Keys) {
  for (const row of alongPath(session, await listAnswers(handle, session.id))) {
    const { sessionId, pageId, fieldId, answeredAt } = row
    const value = openedValue(keys, row) ?? null
    yield { record: 'answer', sessionId, pageId, fieldId, value, answeredAt: toIso(answeredAt) }
  }
}

async function* stepsOf({ db, tables: { funnelSteps: t } }: Handle, session: SessionRow) {
  const rows = await db.select().from(t).where(eq(t.sessionId, session.id))
  for (const { sessionId, pageId, viewedAt, advancedAt } of alongPath(session, rows))
    yield { record: 'page', sessionId, pageId, viewedAt: toIso(viewedAt), advancedAt: toIsoOrNull(advancedAt) }
}

/** In the order of the pages; those of a branch that was left come first. */
const alongPath = <Row extends { pageId: string; fieldId?: string }>({ path }: SessionRow, rows: Row[]): Row[] =>
  rows.sort(
    (a, b) => path.indexOf(a.pageId) - path.indexOf(b.pageId) || ((a.fieldId ?? '') < (b.fieldId ?? '') ? -1 : 1),
  )
