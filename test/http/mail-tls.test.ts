import { afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queueMail } from '../../src/operators/mail/queue-mail'
import { sendDueMails } from '../../src/operators/mail/send'
import { type Stage, stage } from '../support/cast'
import { atEnd } from '../support/cleanup'
import { type MailServer, mailServer } from '../support/smtp'

const folder = mkdtempSync(join(tmpdir(), 'svc-mail-tls-'))
atEnd(() => rmSync(folder, { recursive: true, force: true }))
const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]

beforeAll(() => {
  const made = Bun.spawnSync([
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '36500'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyPath, '-out', certPath],
  ])
  expect(made.exitCode).toBe(0)
})

let s: Stage
let smtp: MailServer
afterEach(async () => {
  await s.close()
  await smtp.close()
})

/** A mail server with a certificate of its own, and what became of one mail to it. */
async function sendOver(options: { secure: boolean; query: string }) {
  smtp = await mailServer({ secure: options.secure, key: readFileSync(keyPath), cert: readFileSync(certPath) })
  const url = `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${smtp.port}${options.query}`
  s = await stage({ env: { SVC_SMTP_URL: url } })
  await s.ctx.write((tx) =>
    queueMail(tx, { kind: 'test', to: 'ada@example.com', subject: 'Hello', paragraphs: ['Hello'] }),
  )
  await sendDueMails(s.ctx)
  const [row] = await s.ctx.db.select().from(s.ctx.tables.mails)
  return row
}

for (const secure of [true, false]) {
  const how = secure ? 'TLS from the start' : 'STARTTLS'

  test(`mail is sent over ${how} to a server whose authority is named`, async () => {
    expect(await sendOver({ secure, query: `?ca=${certPath}` })).toMatchObject({ status: 'SENT' })
    expect(smtp.received.map(({ isSecure }) => isSecure)).toEqual([true])
  })

  test(`no mail is sent over ${how} to a server that nobody vouches for, and none is lost`, async () => {
    expect(await sendOver({ secure, query: '' })).toMatchObject({ status: 'QUEUED', lastError: expect.any(String) })
    expect(smtp.received).toEqual([])
  })
}

test('a certificate file that is not there delays mail', async () => {
  expect(await sendOver({ secure: true, query: '?ca=/nowhere.pem' })).toMatchObject({ status: 'QUEUED', attempts: 1 })
  expect(smtp.received).toEqual([])
})
