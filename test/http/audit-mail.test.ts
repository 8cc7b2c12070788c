import { afterEach, expect, test } from 'bun:test'
import { enqueue } from '../../src/base/jobs/queue'
import { DAY } from '../../src/base/lib/clock'
import { auditCron } from '../../src/operators/audit-log/daily-mail'
import { CLI_ACTOR, recordAudit } from '../../src/projects/audit/audit'
import { type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'
import { runJobs } from '../support/rates'
import { svc } from '../support/simulate'

let s: Stage
let ada: Person
const open = async (env: Record<string, string>) => {
  s = await stage({ env })
  ada = await join(s, 'ada', 'OWNER')
  await join(s, 'bo', 'ADMIN')
}
afterEach(() => s.close())

const MAIL = { SVC_SMTP_URL: 'smtp://127.0.0.1:1' }
const grow = () =>
  s.ctx.write((tx) =>
    recordAudit(tx, s.project.id, CLI_ACTOR, [
      { action: 'o.p', target: { type: 'o', id: 'o_1' }, before: null, after: {} },
    ]),
  )
/** As the cron line does every morning. */
const morning = async () => {
  s.ctx.clock.advance(DAY / 24)
  for (const { job, payload } of auditCron) await s.ctx.write((tx) => enqueue(tx, job, payload))
  await runJobs(s.ctx)
}
const mails = async () => (await s.ctx.db.select().from(s.ctx.tables.mails)).filter(({ kind }) => kind === 'audit_head')
const P = (path: string) => `/dashboard/projects/${s.project.id}${path}`

test('owners get the head and the count by mail, once for each state of the log, and no notice', async () => {
  await open(MAIL)
  await morning()
  expect(await mails()).toEqual([])
  await grow()
  await grow()
  await morning()
  await morning()
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect([mail?.toAddress, mail?.projectId]).toEqual([ada.email, s.project.id])
  expect(mail?.subject).toContain(': 2 rows')
  const { head } = (await ada.browser.get(P('/audit-log/proof'))).body.data
  const ran = await svc(s.ctx, ['outbox', 'show', mail?.id ?? ''])
  expect(ran.out.join('\n')).toContain(head)
  expect((await ada.browser.get('/dashboard/notifications')).body.data.items).toEqual([])
  await grow()
  await morning()
  expect((await mails()).map(({ subject }) => subject).at(-1)).toContain(': 3 rows')
  expect((await ada.browser.get(P('/audit-log/proof'))).body.data).toMatchObject({ ok: true, count: 3 })
})

test('nobody gets it who does not want it', async () => {
  await open(MAIL)
  await grow()
  const off = { kinds: { audit_head: { email: false } } }
  expect((await ada.browser.patch('/dashboard/notifications/preferences', off)).status).toBe(200)
  await morning()
  expect(await mails()).toEqual([])
})

test('no mail is written without a mail server', async () => {
  await open({})
  await grow()
  await morning()
  expect(await mails()).toEqual([])
})
