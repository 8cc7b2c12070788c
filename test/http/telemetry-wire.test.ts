import { expect, test } from 'bun:test'
import { stage } from '../support/cast'
test('x', async () => {
  const s = await stage()
  const now = s.ctx.clock.now()
  const a = await s.post('/v1/sdk/sessions', { subscriberId: 'svc_a', events: [{ type: 'open', occurredAt: new Date(now).toISOString() }] }, {headers: {'idempotency-key': 'k'}})
  console.log(a.status, a.body, [...a.headers])
  const b = await s.post('/v1/sdk/sessions', { subscriberId: 'svc_a', events: [{ type: 'open', occurredAt: new Date(now).toISOString() }] }, {headers: {'idempotency-key': 'k'}})
  console.log(b.status, b.body, [...b.headers])
  console.log(await s.ctx.db.select().from(s.ctx.tables.sessionPacks), await s.ctx.db.select().from(s.ctx.tables.sessionSubjects))
  s.app.listen?.(0)
  await s.close()
})
