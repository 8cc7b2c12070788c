import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import type { Letter } from '../../src/operators/mail/letter'
import { Mailer } from '../../src/operators/mail/mailer'
import { queueMail } from '../../src/operators/mail/queue-mail'
import { sendDueMails } from '../../src/operators/mail/send'
import { hashAddress, suppress } from '../../src/operators/mail/suppression'
import { type Stage, stage } from '../support/cast'
import { headerOf, type MailServer, mailServer, partsOf } from '../support/smtp'

const BASE = 'https://svc.example.com'
const LINK = 'https://svc.example.com/reset?token=abc&next=1'

let s: Stage
let smtp: MailServer | null = null
afterEach(async () => {
  await s.close()
  await smtp?.close()
  smtp = null
})

async function open(env: Record<string, string> = {}): Promise<MailServer> {
  smtp ??= await mailServer()
  s = await stage({ env: { SVC_SMTP_URL: smtp.url, PUBLIC_BASE_URL: BASE, ...env } })
  return smtp
}

const letter = (members: Partial<Letter> = {}): Letter => ({
  kind: 'password_reset',
  to: 'ada@example.com',
  subject: 'Reset your password',
  paragraphs: ['Somebody asked for this.'],
  action: { label: 'Reset', url: LINK },
  ...members,
})
const queue = (members?: Partial<Letter>) => s.ctx.write((tx) => queueMail(tx, letter(members)))
const send = () => sendDueMails(s.ctx)
const rows = async () => {
  const found = await s.ctx.db.select().from(s.ctx.tables.mails)
  return found.sort((a, b) => (a.id < b.id ? -1 : 1))
}
const only = async () => {
  const [row, ...more] = await rows()
  expect(more).toEqual([])
  if (!row) throw new Error('the outbox is empty')
  return row
}

describe('a mail', () => {
  test('arrives once, as text and HTML, and its text is blanked', async () => {
    const server = await open()
    const id = await queue()
    expect((await only()).status).toBe('QUEUED')
    await send()
    await send()
    const [mail, ...more] = server.received
    expect(more).toEqual([])
    if (!mail) throw new Error('nothing arrived')
    expect([mail.from, mail.to]).toEqual(['svc@svc.example.com', ['ada@example.com']])
    expect(headerOf(mail, 'Message-ID')).toBe(`<${id}@svc.example.com>`)
    expect(headerOf(mail, 'Subject')).toBe('Reset your password')
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated')
    expect(headerOf(mail, 'List-Unsubscribe')).toBeNull()
    const { text, html } = partsOf(mail)
    expect(text).toContain(LINK)
    expect(html).toContain(LINK.replace('&', '&amp;'))
    expect(await only()).toMatchObject({
      status: 'SENT',
      sealed: null,
      attempts: 1,
      nextAttemptAt: null,
      lastError: null,
    })
  })

  test('of a transaction that is rolled back is never sent', async () => {
    const server = await open()
    const failing = s.ctx.write(async (tx) => {
      await queueMail(tx, letter())
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow()
    await send()
    expect([server.received, await rows()]).toEqual([[], []])
  })

  test('is encrypted while it waits', async () => {
    await open()
    await queue()
    expect(JSON.stringify(await rows())).not.toContain('token=abc')
  })

  test('that is optional has a way out with one click', async () => {
    const server = await open()
    await queue({ isOptional: true, kind: 'report' })
    await send()
    const [mail] = server.received
    const [, url = ''] = /^<(.+)>$/.exec((mail && headerOf(mail, 'List-Unsubscribe')) ?? '') ?? []
    expect(url).toStartWith(`${BASE}/unsubscribe?token=`)
    expect(mail && headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const left = await s.call('POST', url.slice(BASE.length), {
      key: null,
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([left.status, left.body]).toEqual([200, { data: { unsubscribed: true } }])
    await queue({ isOptional: true, kind: 'report' })
    await queue()
    await send()
    expect(server.received.map((one) => headerOf(one, 'List-Unsubscribe') !== null)).toEqual([true, false])
    expect((await rows()).map(({ status }) => status)).toEqual(['SENT', 'SUPPRESSED', 'SENT'])
  })

  test('has one receiver, whatever its address and subject contain', async () => {
    const server = await open()
    await queue({ to: 'ada@example.com, eve@example.com' })
    await queue({ to: 'ada@example.com\r\nRCPT TO:<eve@example.com>' })
    await queue({ subject: 'Hello\r\nBcc: eve@example.com', to: 'bo@example.com' })
    await send()
    expect(server.asked.filter((address) => address === 'eve@example.com')).toEqual([])
    for (const mail of server.received) expect(headerOf(mail, 'Bcc')).toBeNull()
    expect(server.received.filter(({ to }) => to[0] === 'bo@example.com')).toHaveLength(1)
  })

  test('is not sent once its link has died', async () => {
    const server = await open()
    await queue({ expiresAt: s.ctx.clock.now() + HOUR })
    s.ctx.clock.advance(HOUR)
    await send()
    expect(server.received).toEqual([])
    expect(await only()).toMatchObject({ status: 'FAILED', sealed: null, nextAttemptAt: null })
  })

  test('waits for nobody: what is due goes out in the same run, however many there are', async () => {
    const server = await open()
    for (let index = 0; index < 120; index++) await queue({ to: `user${index}@example.com` })
    await send()
    expect(new Set(server.received.map(({ to }) => to[0])).size).toBe(120)
    expect(server.received).toHaveLength(120)
  })

  test('is sent once by two processes that send at the same time', async () => {
    const server = await open()
    for (let index = 0; index < 20; index++) await queue({ to: `user${index}@example.com` })
    await Promise.all([send(), send()])
    expect(server.received).toHaveLength(20)
  })

  test('is sent again, with the same Message-ID, when a process ended before it wrote the result', async () => {
    const server = await open()
    const id = await queue()
    const { deliver } = s.ctx.state.mailer
    s.ctx.state.mailer.deliver = async (message) => {
      await deliver.call(s.ctx.state.mailer, message)
      await new Promise(() => {}) // The process ends here.
    }
    void send()
    while (server.received.length === 0) await Bun.sleep(1)
    s.ctx.state.mailer.deliver = deliver
    await send()
    expect(server.received).toHaveLength(1)
    s.ctx.clock.advance(5 * MINUTE)
    await send()
    expect(server.received.map((mail) => headerOf(mail, 'Message-ID'))).toEqual(
      [id, id].map((one) => `<${one}@svc.example.com>`),
    )
    expect(await only()).toMatchObject({ status: 'SENT', attempts: 2 })
  })
})

describe('a mail server', () => {
  test('that is down delays mail and loses none', async () => {
    const server = await open()
    const { port } = server
    await server.close()
    await queue()
    await queue({ to: 'bo@example.com' })
    await send()
    const waiting = await rows()
    expect(waiting.map(({ status }) => status)).toEqual(['QUEUED', 'QUEUED'])
    expect(waiting.some(({ lastError }) => lastError !== null)).toBe(true)
    expect(waiting.every(({ sealed }) => sealed !== null)).toBe(true)
    for (let hour = 0; hour < 20; hour++) {
      s.ctx.clock.advance(HOUR)
      await send()
    }
    expect((await rows()).map(({ status }) => status)).toEqual(['QUEUED', 'QUEUED'])
    smtp = await mailServer({}, port)
    s.ctx.clock.advance(HOUR)
    await send()
    expect(smtp.received.map(({ to }) => to[0]).sort()).toEqual(['ada@example.com', 'bo@example.com'])
  })

  test('that stays down for days ends in a failure that can be seen', async () => {
    const server = await open()
    await server.close()
    smtp = null
    await queue()
    for (let index = 0; index < 80; index++) {
      await send()
      s.ctx.clock.advance(HOUR)
    }
    expect(await only()).toMatchObject({ status: 'FAILED', nextAttemptAt: null, lastError: expect.any(String) })
    expect(s.ctx.lines.some((line) => line.includes('is not tried again'))).toBe(true)
  })

  test('that refuses one receiver gets the others', async () => {
    const server = await open()
    server.refuse = (address) => (address === 'eve@example.com' ? { code: 550, text: 'relay denied' } : null)
    await queue({ to: 'eve@example.com' })
    await queue({ to: 'bo@example.com' })
    await send()
    expect(server.received.map(({ to }) => to[0])).toEqual(['bo@example.com'])
    expect((await rows()).map(({ status }) => status)).toEqual(['FAILED', 'SENT'])
    server.refuse = () => null
    s.ctx.clock.advance(DAY)
    await send()
    expect(server.received).toHaveLength(1)
    // A rule of the server is no proof that the address does not exist.
    await queue({ to: 'eve@example.com', isOptional: true })
    await send()
    expect(server.received).toHaveLength(2)
  })

  test('that knows no such mailbox ends project mail to it, but not mail about the account', async () => {
    const server = await open()
    server.refuse = () => ({ code: 550, text: '5.1.1 no such user' })
    await queue()
    await send()
    server.refuse = () => null
    await queue({ isOptional: true })
    await queue({ kind: 'invitation', projectId: s.project.id })
    await queue({ kind: 'verify_email' })
    await send()
    expect((await rows()).map(({ status }) => status)).toEqual(['FAILED', 'SUPPRESSED', 'SUPPRESSED', 'SENT'])
    expect(server.received).toHaveLength(1)
  })

  test('that asks to come again later is asked again later, and not sooner', async () => {
    const server = await open()
    server.refuse = (address) => (address === 'ada@example.com' ? { code: 451, text: '4.7.1 greylisted' } : null)
    await queue()
    await queue({ to: 'bo@example.com' })
    await send()
    expect(server.received.map(({ to }) => to[0])).toEqual(['bo@example.com'])
    server.refuse = () => null
    s.ctx.clock.advance(14 * SECOND)
    await send()
    expect(server.received).toHaveLength(1)
    s.ctx.clock.advance(MINUTE)
    await send()
    expect(server.received.map(({ to }) => to[0])).toEqual(['bo@example.com', 'ada@example.com'])
  })

  test('that refuses the sender loses no mail', async () => {
    smtp = await mailServer({
      onMailFrom: (_address, _session, callback) =>
        callback(Object.assign(new Error('not allowed'), { responseCode: 550 })),
    })
    await open()
    await queue()
    await send()
    expect(await only()).toMatchObject({ status: 'QUEUED', attempts: 1 })
  })

  test('that refuses the password loses no mail, and the password is in no row and no log', async () => {
    smtp = await mailServer({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      onAuth: (_auth, _session, callback) => callback(new Error('wrong')),
    })
    await open({ SVC_SMTP_URL: smtp.url.replace('://', '://svc:hunter2hunter2@') })
    await queue()
    await send()
    const row = await only()
    expect(row).toMatchObject({ status: 'QUEUED', attempts: 1 })
    expect(JSON.stringify([row, s.ctx.lines])).not.toContain('hunter2')
  })

  test('that hangs is given up after a time', async () => {
    const silent: Server = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await open({ SVC_SMTP_URL: `smtp://127.0.0.1:${port}` })
    s.ctx.state.mailer = new Mailer(s.ctx, () => sendDueMails(s.ctx), 50)
    await queue()
    await send()
    expect(await only()).toMatchObject({ status: 'QUEUED', attempts: 1, lastError: expect.any(String) })
    await s.ctx.state.mailer.close()
    await new Promise((resolve) => silent.close(resolve))
  })
})

describe('a suppressed address', () => {
  test.each([
    ['UNSUBSCRIBED', ['SUPPRESSED', 'SENT', 'SENT']],
    ['COMPLAINED', ['SUPPRESSED', 'SENT', 'SENT']],
    ['BOUNCED', ['SUPPRESSED', 'SUPPRESSED', 'SENT']],
  ] as const)('%s', async (reason, wanted) => {
    await open()
    await suppress(s.ctx, [{ addressHash: hashAddress(' Ada@Example.com'), reason }])
    await suppress(s.ctx, [{ addressHash: hashAddress('ada@example.com'), reason }])
    await queue({ isOptional: true, projectId: s.project.id })
    await queue({ kind: 'invitation', projectId: s.project.id })
    await queue()
    await send()
    const found = await rows()
    expect(found.map(({ status }) => status)).toEqual([...wanted])
    expect(found.filter(({ status }) => status === 'SUPPRESSED').map(({ sealed }) => sealed)).not.toContainEqual(
      expect.any(String),
    )
  })
})

describe('sending', () => {
  test('begins at once after a commit, once the server runs', async () => {
    const server = await open()
    await queue()
    expect(server.received).toHaveLength(0)
    await s.ctx.state.mailer.serve()
    expect(server.received).toHaveLength(1)
    await queue({ to: 'bo@example.com' })
    while (server.received.length < 2) await Bun.sleep(1)
    await s.ctx.state.mailer.close()
    await queue({ to: 'cy@example.com' })
    expect((await rows()).map(({ status }) => status)).toEqual(['SENT', 'SENT', 'QUEUED'])
  })

  test('ends with the process: what is being sent arrives, and nothing further is begun', async () => {
    const server = await open()
    for (let index = 0; index < 200; index++) await queue({ to: `user${index}@example.com` })
    const serving = s.ctx.state.mailer.serve()
    while (server.received.length === 0) await Bun.sleep(1)
    await s.ctx.state.mailer.close()
    await serving
    const statuses = (await rows()).map(({ status }) => status)
    const sent = statuses.filter((status) => status === 'SENT').length
    expect(sent).toBe(server.received.length)
    expect(sent).toBeLessThan(200)
    expect(statuses.filter((status) => status === 'QUEUED')).toHaveLength(200 - sent)
    const waiting = (await rows()).filter(({ status }) => status === 'QUEUED')
    expect(waiting.filter(({ attempts, sealed }) => attempts > 0 || sealed === null)).toEqual([])
  })
})
