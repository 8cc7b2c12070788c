import { afterEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { outboxCommand } from '../../src/operators/mail/command'
import type { Letter } from '../../src/operators/mail/letter'
import { queueMail } from '../../src/operators/mail/queue-mail'
import { mailRetention } from '../../src/operators/mail/retention'
import { sendDueMails } from '../../src/operators/mail/send'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { person, TestSessions } from '../support/sessions'
import { type MailServer, mailServer } from '../support/smtp'

let s: Stage
let smtp: MailServer | null = null
afterEach(async () => {
  await s.close()
  await smtp?.close()
  smtp = null
})

const LINK = 'https://svc.example.com/reset?token=secret'
const queue = (members: Partial<Letter> = {}) =>
  s.ctx.write((tx) =>
    queueMail(tx, {
      kind: 'password_reset',
      to: 'ada@example.com',
      subject: 'Reset your password',
      paragraphs: ['Somebody asked for this.'],
      action: { label: 'Reset', url: LINK },
      ...members,
    }),
  )

function signIn(): void {
  const sessions = new TestSessions()
  s.ctx.state.sessions = sessions
  const now = s.ctx.clock.now()
  const life = { createdAt: now, expiresAt: now + 30 * DAY, revokedAt: null, hasPassedTwoFactor: true }
  sessions.sessions.set('admin', {
    id: 'ses_1',
    user: person('usr_admin', { email: 'root@platform.example' }),
    ...life,
  })
  sessions.sessions.set('ada', { id: 'ses_2', user: person('usr_ada'), ...life })
  sessions.adminDomains.add('platform.example')
}
const outbox = (query = '', who: string | null = 'admin') =>
  s.call('GET', `/admin/outbox${query}`, { key: null, headers: who === null ? {} : { cookie: `svc_session=${who}` } })

describe('without a mail server', () => {
  test('a mail is kept with its link for the command line; the log and administrators get it without', async () => {
    s = await stage()
    signIn()
    const id = await queue()
    await sendDueMails(s.ctx)
    expect(s.ctx.lines.filter((line) => line.includes(id))).toHaveLength(1)
    expect(s.ctx.lines.join('')).not.toContain('secret')
    const { items } = (await outbox()).body.data
    expect(items).toEqual([
      expect.objectContaining({
        id,
        status: 'KEPT',
        to: 'ada@example.com',
        link: null,
        text: null,
        textState: 'WITHHELD',
        attempts: 0,
      }),
    ])
    expect(JSON.stringify(items)).not.toContain('secret')
    const listed = await runBeside(s, outboxCommand, 'list', '--json')
    expect(JSON.parse(listed.out)).toEqual({
      items: [{ ...items[0], textState: 'READABLE', link: LINK, text: expect.stringContaining(LINK) }],
      hasMore: false,
    })
    expect((await runBeside(s, outboxCommand)).out).toContain(LINK)
    const { out } = await runBeside(s, outboxCommand, 'show', id)
    expect(out).toContain('To:      ada@example.com')
    expect(out).toContain(LINK)
  })

  test('a mail with a link says that it opens only on the machine of the server, as long as that is so', async () => {
    s = await stage()
    const text = async (id: string) => (await runBeside(s, outboxCommand, 'show', id)).out
    expect(await text(await queue())).toContain('PUBLIC_BASE_URL')
    await s.close()
    s = await stage({ env: { PUBLIC_BASE_URL: 'https://svc.example.com' } })
    expect(await text(await queue())).not.toContain('PUBLIC_BASE_URL')
  })

  test('the text is gone once its link has died', async () => {
    s = await stage()
    signIn()
    const id = await queue({ expiresAt: s.ctx.clock.now() + HOUR })
    s.ctx.clock.advance(HOUR)
    const blanked = { textState: 'BLANKED', text: null, link: null }
    expect((await outbox()).body.data.items[0]).toMatchObject(blanked)
    await sendDueMails(s.ctx)
    const [row] = await s.ctx.db.select().from(s.ctx.tables.mails)
    expect([row?.sealed, row?.status]).toEqual([null, 'KEPT'])
    const shown = await runBeside(s, outboxCommand, 'show', id, '--json')
    expect(JSON.parse(shown.out)).toMatchObject(blanked)
    expect(shown.out).not.toContain('secret')
  })

  test('a notice is kept without a line in the log', async () => {
    s = await stage()
    await queue({ isOptional: true })
    expect(s.ctx.lines.filter((line) => line.includes('a mail was written'))).toEqual([])
  })
})

describe('without a master key', () => {
  const OFF = { SVC_MASTER_KEY: 'off' }

  test('a mail is sent from memory, its link is in the log, and the row has no text', async () => {
    smtp = await mailServer()
    s = await stage({ env: { ...OFF, SVC_SMTP_URL: smtp.url } })
    signIn()
    await queue()
    expect(s.ctx.lines.filter((line) => line.includes(LINK))).toHaveLength(1)
    expect(JSON.stringify(await s.ctx.db.select().from(s.ctx.tables.mails))).not.toContain('secret')
    expect((await outbox()).body.data.items[0]).toMatchObject({ status: 'QUEUED', textState: 'WITHHELD' })
    await sendDueMails(s.ctx)
    expect(smtp.received).toHaveLength(1)
    expect((await outbox()).body.data.items[0]).toMatchObject({ status: 'SENT', textState: 'BLANKED', text: null })
  })

  test('a mail whose process has ended fails visibly', async () => {
    smtp = await mailServer()
    s = await stage({ env: { ...OFF, SVC_SMTP_URL: smtp.url } })
    signIn()
    const id = await queue()
    s.ctx.state.mailer.drop(id)
    await sendDueMails(s.ctx)
    expect((await outbox()).body.data.items[0]).toMatchObject({ status: 'QUEUED', textState: 'IN_MEMORY', attempts: 0 })
    s.ctx.clock.advance(2 * HOUR + 1)
    await sendDueMails(s.ctx)
    expect((await outbox()).body.data.items[0]).toMatchObject({ status: 'FAILED', textState: 'IN_MEMORY' })
    expect(smtp.received).toEqual([])
  })
})

describe('GET /admin/outbox', () => {
  test('is for platform administrators only', async () => {
    s = await stage()
    signIn()
    await queue()
    expect((await outbox('', null)).status).toBe(401)
    const refused = await outbox('', 'ada')
    expect([refused.status, refused.body.error.code]).toEqual([403, 'ADMIN_EMAIL_DOMAIN'])
    expect(JSON.stringify(refused.body)).not.toContain('secret')
  })

  test('lists the newest first, in pages, by status', async () => {
    s = await stage()
    signIn()
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.unshift(await queue({ to: `user${index}@example.com` }))
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data } = (await outbox(`?limit=2${cursor && `&cursor=${cursor}`}`)).body as {
        data: { items: { id: string }[]; nextCursor: string | null }
      }
      seen.push(...data.items.map(({ id }) => id))
      cursor = data.nextCursor
    }
    expect(seen).toEqual(ids)
    expect((await outbox('?status=SENT')).body.data).toEqual({ items: [], nextCursor: null })
    expect((await outbox('?status=KEPT')).body.data.items).toHaveLength(5)
  })

  test.each(['?status=kept', '?status=', '?limit=0', '?limit=201', '?cursor=x', '?other=1'])(
    'refuses %s',
    async (query) => {
      s = await stage()
      signIn()
      await queue()
      expect((await outbox(query)).status).toBe(400)
    },
  )

  test('refuses the cursor of another filter', async () => {
    s = await stage()
    signIn()
    await queue()
    await queue()
    const { nextCursor } = (await outbox('?limit=1')).body.data
    expect((await outbox(`?limit=1&cursor=${nextCursor}`)).status).toBe(200)
    expect((await outbox(`?limit=1&status=KEPT&cursor=${nextCursor}`)).status).toBe(400)
  })
})

describe('svc outbox', () => {
  test.each([[['show']], [['show', 'a', 'b']], [['send']], [['list', '--status', 'LOST']], [['list', '--limit', '0']]])(
    '%p is wrong usage',
    async (args) => {
      s = await stage()
      expect((await runBeside(s, outboxCommand, ...args)).code).toBe(2)
    },
  )

  test('says when there is no such mail', async () => {
    s = await stage()
    const { code, err } = await runBeside(s, outboxCommand, 'show', 'mal_nobody')
    expect([code, err]).toEqual([1, 'The outbox has no mail "mal_nobody".'])
    expect((await runBeside(s, outboxCommand, 'list', '--status', 'sent')).out).toBe('The outbox has no such mail.')
  })
})

test('mails are forgotten after 90 days', async () => {
  s = await stage()
  await queue()
  s.ctx.clock.advance(90 * DAY)
  await queue()
  await mailRetention.sweep(s.ctx, () => false)
  expect(await s.ctx.db.select().from(s.ctx.tables.mails)).toHaveLength(2)
  s.ctx.clock.advance(1)
  await mailRetention.sweep(s.ctx, () => false)
  expect(await s.ctx.db.select().from(s.ctx.tables.mails)).toHaveLength(1)
})
