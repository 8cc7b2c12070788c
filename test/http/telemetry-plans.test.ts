import { expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { activesOf, sessionDays } from '../../src/insight/telemetry/figures'
import { playTimeOf } from '../../src/insight/telemetry/hooks'
import { pruneTelemetry } from '../../src/insight/telemetry/retention'
import { listSessionEvents } from '../../src/insight/telemetry/session-history'
import { stage } from '../support/cast'
import { identify, rowOf } from '../support/facts'
import { explain, recordStatements } from '../support/plans'
import { iso, opened, postEvent, postSessions, today } from '../support/telemetry'

/** The tables that grow with what apps report. */
const GROWING = ['session_packs', 'session_subjects', 'client_events']

test('no statement of telemetry reads the whole of a table that grows', async () => {
  const s = await stage()
  const recorded = recordStatements()
  try {
    await identify(s, 'svc_old', 'ada')
    for (const device of ['svc_old', 'svc_new']) {
      for (let turn = 0; turn < 2; turn++)
        await postSessions(
          s,
          device,
          Array.from({ length: 200 }, (_, index) =>
            opened(s, { occurredAt: iso(s.ctx.clock.now() - (turn * 200 + index) * 60_000) }),
          ),
        )
      for (let turn = 0; turn < 2; turn++) await postEvent(s, { subscriberId: device, eventId: 'one' })
    }
    await identify(s, 'svc_new', 'ada')
    await postSessions(s, 'svc_old', [opened(s, { durationMs: 9 })])
    const { id } = await rowOf(s, 'svc_new')
    await playTimeOf(s.ctx, id)
    await listSessionEvents(s.ctx, [id])
    await sessionDays(s.ctx, s.project.id, [today(s) - 9, today(s)])
    await activesOf(s.ctx, s.project.id, today(s))
    s.ctx.clock.advance(500 * DAY)
    await pruneTelemetry(s.ctx)
    recorded.stop()
    // PostgreSQL plans by the number of rows, and these tables are nearly empty here.
    if (s.ctx.storage.driver === 'postgres') return
    const plans = [...(await explain(s.ctx, recorded.statements))]
    const steps = plans.flatMap(([statement, all]) =>
      all.filter(({ table }) => GROWING.includes(table)).map((step) => ({ statement, ...step })),
    )
    expect(new Set(steps.map(({ table }) => table))).toEqual(new Set(GROWING))
    expect(steps.filter(({ isScan }) => isScan)).toEqual([])
  } finally {
    recorded.stop()
    await s.close()
  }
})
