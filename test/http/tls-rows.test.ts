import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Context } from '../../src/base/context'
import { DAY, HOUR, SECOND } from '../../src/base/lib/clock'
import { slice } from '../../src/base/slice'
import { hooksOf } from '../../src/create-context'
import { alertOwners } from '../../src/operators/tls/alerts'
import { readPair, type ServedCertificate } from '../../src/operators/tls/certificate'
import { certificateStatesOf } from '../../src/operators/tls/certificate-state'
import { tlsCommand } from '../../src/operators/tls/command'
import { tlsExamination } from '../../src/operators/tls/doctor'
import { sweepCertificates } from '../../src/operators/tls/issuer'
import { syncNames, wantedNames } from '../../src/operators/tls/names'
import { saveFailure, saveIssued } from '../../src/operators/tls/outcome'
import {
  deleteTlsOrder,
  endLease,
  findTlsName,
  findTlsOrder,
  saveTlsOrder,
  takeLease,
} from '../../src/operators/tls/queries'
import { refreshTls } from '../../src/operators/tls/refresh'
import { letters } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { arrive, join, type Person, PLATFORM_DOMAIN } from '../support/crew'
import { selfSigned } from '../support/self-signed'

let s: Stage
beforeEach(async () => {
  s = await stage({
    env: { SVC_TLS: 'auto', SVC_DOMAINS: 'svc.example.com', SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN },
  })
})
afterEach(() => s.close())

const own = (...names: string[]) => names.map((name) => ({ name, projectId: null }))

/** A certificate with a life of its own, whatever the text says. */
async function certificate(name: string, days: number, { clock }: Pick<Context, 'clock'> = s.ctx) {
  const { cert, key } = await selfSigned(name)
  const read = readPair(cert, key) as ServedCertificate
  return { ...read, notBefore: clock.now(), notAfter: clock.now() + days * DAY }
}

const FAILURE = { code: 'port80', detail: 'nothing answers', retryAfterMs: null } as const

describe('the lease of the issuer', () => {
  const take = (holder: string) => s.ctx.write((tx) => takeLease(tx, 'issuer', holder, tx.clock.now() + 30 * SECOND))

  test('is held by one of several processes at once, extended by it, and ends by itself', async () => {
    const taken = await Promise.all(['a', 'b', 'c'].map(take))
    expect(taken.filter(Boolean)).toHaveLength(1)
    const holder = ['a', 'b', 'c'][taken.indexOf(true)] ?? ''
    const other = holder === 'a' ? 'b' : 'a'
    s.ctx.clock.advance(29 * SECOND)
    expect([await take(other), await take(holder)]).toEqual([false, true])
    s.ctx.clock.advance(29 * SECOND)
    expect(await take(other)).toBe(false)
    s.ctx.clock.advance(2 * SECOND)
    expect([await take(other), await take(holder)]).toEqual([true, false])
  })

  test('ends for its holder only', async () => {
    await take('a')
    await s.ctx.write((tx) => endLease(tx, 'issuer', 'b'))
    expect(await take('b')).toBe(false)
    await s.ctx.write((tx) => endLease(tx, 'issuer', 'a'))
    expect(await take('b')).toBe(true)
  })
})

describe('a name', () => {
  test('that is not wanted any more is not served, and its certificate goes when it ends', async () => {
    await syncNames(s.ctx, own('svc.example.com', 'old.example.com'))
    for (const name of ['svc.example.com', 'old.example.com'])
      await saveIssued(s.ctx, name, await certificate(name, 90))
    await refreshTls(s.ctx)
    expect(s.ctx.state.tls.certificates).toHaveLength(2)
    await syncNames(s.ctx, own('svc.example.com'))
    await refreshTls(s.ctx)
    expect(s.ctx.state.tls.certificates.map(({ names }) => names)).toEqual([['svc.example.com']])
    expect(await certificateStatesOf(s.ctx, ['old.example.com'], s.ctx.clock.now())).toEqual(new Map())
    await sweepCertificates(s.ctx)
    const stored = async () =>
      (await s.ctx.db.select().from(s.ctx.tables.tlsCertificates)).map(({ name }) => name).sort()
    expect(await stored()).toEqual(['old.example.com', 'svc.example.com'])
    s.ctx.clock.advance(91 * DAY)
    await sweepCertificates(s.ctx)
    expect(await stored()).toEqual(['svc.example.com'])
  })

  test('that is not wanted any more is forgotten with its order, but not while it has a certificate or waits', async () => {
    const left = ['never.example.com', 'failed.example.com', 'issued.example.com']
    await syncNames(s.ctx, own('svc.example.com', ...left))
    await saveIssued(s.ctx, 'issued.example.com', await certificate('issued.example.com', 90))
    await saveFailure(s.ctx, 'failed.example.com', FAILURE)
    for (const name of ['svc.example.com', 'never.example.com'])
      await s.ctx.write((tx) => saveTlsOrder(tx, { name, sealed: 'a', createdAt: 1 }))
    const names = async () => (await s.ctx.db.select().from(s.ctx.tables.tlsNames)).map(({ name }) => name).sort()
    await sweepCertificates(s.ctx)
    expect(await names()).toEqual([...left, 'svc.example.com'].sort())
    await syncNames(s.ctx, own('svc.example.com'))
    await sweepCertificates(s.ctx)
    expect(await names()).toEqual(['failed.example.com', 'issued.example.com', 'svc.example.com'])
    expect(await findTlsOrder(s.ctx, 'never.example.com')).toBeNull()
    expect(await findTlsOrder(s.ctx, 'svc.example.com')).toMatchObject({ sealed: 'a' })
    s.ctx.clock.advance(HOUR)
    await sweepCertificates(s.ctx)
    expect(await names()).toEqual(['issued.example.com', 'svc.example.com'])
    s.ctx.clock.advance(91 * DAY)
    await sweepCertificates(s.ctx)
    expect(await names()).toEqual(['svc.example.com'])
  })

  test('that comes back is served again without another certificate', async () => {
    await syncNames(s.ctx, own('svc.example.com'))
    await saveIssued(s.ctx, 'svc.example.com', await certificate('svc.example.com', 90))
    await syncNames(s.ctx, [])
    await refreshTls(s.ctx)
    expect(s.ctx.state.tls.certificates).toEqual([])
    const [row] = await syncNames(s.ctx, own('svc.example.com'))
    expect(row).toMatchObject({ status: 'VALID', nextAttemptAt: s.ctx.clock.now() + 60 * DAY })
    await refreshTls(s.ctx)
    expect(s.ctx.state.tls.certificates).toHaveLength(1)
  })

  test('keeps its certificate through failures, and says both', async () => {
    await syncNames(s.ctx, own('svc.example.com'))
    const state = async () =>
      (await certificateStatesOf(s.ctx, ['svc.example.com'], s.ctx.clock.now())).get('svc.example.com') ?? null
    expect(await state()).toEqual({
      status: 'PENDING',
      notAfter: null,
      issuer: null,
      nextAttemptAt: s.ctx.clock.now(),
      error: null,
    })
    await saveFailure(s.ctx, 'svc.example.com', FAILURE)
    expect(await state()).toMatchObject({ status: 'FAILED', error: { code: 'port80', detail: 'nothing answers' } })
    const issued = await certificate('svc.example.com', 90)
    await saveIssued(s.ctx, 'svc.example.com', issued)
    expect(await state()).toMatchObject({
      status: 'VALID',
      notAfter: issued.notAfter,
      issuer: 'svc.example.com',
      error: null,
    })
    s.ctx.clock.advance(60 * DAY)
    await saveFailure(s.ctx, 'svc.example.com', FAILURE)
    expect(await state()).toMatchObject({
      status: 'VALID',
      nextAttemptAt: s.ctx.clock.now() + HOUR,
      error: { code: 'port80' },
    })
    s.ctx.clock.advance(31 * DAY)
    expect(await state()).toMatchObject({ status: 'EXPIRED' })
  })

  test('whose certificate was sealed with another master key is not served, and the log says so once', async () => {
    await syncNames(s.ctx, own('svc.example.com'))
    await saveIssued(s.ctx, 'svc.example.com', await certificate('svc.example.com', 90))
    await s.ctx.write((tx) => tx.db.update(tx.tables.tlsCertificates).set({ sealed: 'v1.0.0.0.0' }))
    await refreshTls(s.ctx)
    await refreshTls(s.ctx)
    expect(s.ctx.state.tls.certificates).toEqual([])
    const lines = s.ctx.lines.filter((line) => line.includes('does not open a certificate'))
    expect(lines).toEqual([expect.stringContaining('svc.example.com')])
  })

  test('has one order at a time', async () => {
    const row = { name: 'svc.example.com', sealed: 'a', createdAt: 1 }
    await s.ctx.write((tx) => saveTlsOrder(tx, row))
    await s.ctx.write((tx) => saveTlsOrder(tx, { ...row, sealed: 'b' }))
    expect(await findTlsOrder(s.ctx, 'svc.example.com')).toMatchObject({ sealed: 'b' })
    await s.ctx.write((tx) => deleteTlsOrder(tx, 'svc.example.com'))
    expect(await findTlsOrder(s.ctx, 'svc.example.com')).toBeNull()
  })
})

test('custom domains that are verified are wanted behind the names of the configuration, each name once', async () => {
  const domains = slice({
    name: 'verified domains',
    verifiedHostnames: async () =>
      ['shop.example.net', 'svc.example.com'].map((hostname) => ({ hostname, projectId: s.project.id })),
  })
  const ctx = { ...s.ctx, hooks: hooksOf([domains]) }
  expect(await wantedNames(ctx)).toEqual([
    ...own('svc.example.com'),
    { name: 'shop.example.net', projectId: s.project.id },
  ])
})

describe('mails about the end', () => {
  const told = async () =>
    (await letters(s))
      .filter(({ kind }) => kind === 'certificate_ends')
      .map(({ to, subject }) => `${to.toLowerCase()}: ${subject}`)
  const look = async () => alertOwners(s.ctx, await syncNames(s.ctx, own('svc.example.com')))

  test('come at a quarter, at an eighth and at the end, once each, and begin anew with the next certificate', async () => {
    await arrive(s, 'Boss', { isAdmin: true })
    await syncNames(s.ctx, own('svc.example.com'))
    await saveIssued(s.ctx, 'svc.example.com', await certificate('svc.example.com', 80))
    const counts: number[] = []
    for (const days of [59, 1, 1, 8, 1, 10, 1]) {
      s.ctx.clock.advance(days * DAY)
      await Promise.all([look(), look()])
      counts.push((await told()).length)
    }
    expect(counts).toEqual([0, 1, 1, 1, 2, 3, 3])
    expect((await told())[2]).toEndWith(': The certificate of svc.example.com has ended')
    await saveIssued(s.ctx, 'svc.example.com', await certificate('svc.example.com', 80))
    await look()
    expect(await told()).toHaveLength(3)
    expect(await findTlsName(s.ctx, 'svc.example.com')).toMatchObject({ alerted: 0 })
  })

  test('about a custom domain go to the owners of its project, and to nobody else', async () => {
    await arrive(s, 'Boss', { isAdmin: true })
    const owner = await join(s, 'Olga', 'OWNER')
    await join(s, 'Dev', 'DEVELOPER')
    const wanted = [{ name: 'shop.example.net', projectId: s.project.id }]
    await syncNames(s.ctx, wanted)
    await saveIssued(s.ctx, 'shop.example.net', await certificate('shop.example.net', 80))
    s.ctx.clock.advance(61 * DAY)
    await alertOwners(s.ctx, await syncNames(s.ctx, wanted))
    expect(await told()).toEqual([`${owner.email}: The certificate of shop.example.net ends soon`])
  })
})

describe('svc tls', () => {
  const run = (...args: string[]) => runBeside(s, tlsCommand, ...args)

  test('status says what there is, and 1 when a name has no valid certificate', async () => {
    expect(await run('status')).toMatchObject({
      code: 0,
      out: 'This server gets no certificates; see: svc serve --help',
    })
    await syncNames(s.ctx, own('svc.example.com', 'two.example.com'))
    await saveIssued(s.ctx, 'svc.example.com', await certificate('svc.example.com', 90))
    await saveFailure(s.ctx, 'two.example.com', FAILURE)
    const text = await run('status')
    expect(text.code).toBe(1)
    expect(text.out).toContain('port80: nothing answers')
    const { names } = JSON.parse((await run('status', '--json')).out)
    expect(names).toMatchObject([
      { name: 'svc.example.com', status: 'VALID', error: null, projectId: null },
      { name: 'two.example.com', status: 'FAILED', notAfter: null, error: { code: 'port80' } },
    ])
    await saveIssued(s.ctx, 'two.example.com', await certificate('two.example.com', 90))
    expect((await run('status')).code).toBe(0)
  })

  test('renew makes a name due at once, and no other', async () => {
    await syncNames(s.ctx, own('svc.example.com', 'two.example.com'))
    for (const name of ['svc.example.com', 'two.example.com']) await saveFailure(s.ctx, name, FAILURE)
    expect(await run('renew', 'SVC.example.com.')).toMatchObject({ code: 0 })
    expect((await findTlsName(s.ctx, 'svc.example.com'))?.nextAttemptAt).toBe(s.ctx.clock.now())
    expect((await findTlsName(s.ctx, 'two.example.com'))?.nextAttemptAt).toBe(s.ctx.clock.now() + HOUR)
  })

  test.each([
    [['renew'], 2, /name one host/],
    [['renew', 'a.example', 'b.example'], 2, /name one host/],
    [['status', 'svc.example.com'], 2, /status or renew/],
    [['issue'], 2, /status or renew/],
    [[], 2, /status or renew/],
    [['renew', 'other.example.com'], 1, /gets no certificate for other\.example\.com/],
    [['renew', 'no name'], 1, /gets no certificate for no name/],
  ])('refuses %j', async (args, code, sentence) => {
    const ran = await run(...args)
    expect([ran.code, ran.out]).toEqual([code, ''])
    expect(ran.err).toMatch(sentence)
  })
})

describe('the certificates in the administration', () => {
  const renew = ({ browser }: Person, body: object) =>
    browser.call('POST', '/admin/tls/renew', body, { origin: 'https://svc.example.com' })

  test('are those of svc tls, and one is renewed as by svc tls', async () => {
    const root = await arrive(s, 'root', { isAdmin: true })
    const read = async () => (await root.browser.get('/admin/tls')).body.data
    expect(await read()).toEqual({ mode: 'auto', fault: null, items: [], nextCursor: null })
    await syncNames(s.ctx, own('svc.example.com', 'two.example.com'))
    await saveIssued(s.ctx, 'svc.example.com', await certificate('svc.example.com', 90))
    await saveFailure(s.ctx, 'two.example.com', FAILURE)
    const { items } = await read()
    expect(items).toEqual(JSON.parse((await runBeside(s, tlsCommand, 'status', '--json')).out).names)
    const renewed = await renew(root, { name: 'Two.Example.com' })
    expect([renewed.status, renewed.body.data]).toEqual([200, { name: 'two.example.com' }])
    expect((await findTlsName(s.ctx, 'two.example.com'))?.nextAttemptAt).toBe(s.ctx.clock.now())
    const [last] = (await root.browser.get('/admin/audit-log')).body.data.items
    expect(last).toMatchObject({
      action: 'tls.renew',
      actor: { id: root.id },
      target: { type: 'tlsName', id: 'two.example.com' },
    })
    const unknown = await renew(root, { name: 'other.example.com' })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('are for platform administrators only', async () => {
    const owner = await arrive(s, 'owner')
    expect((await owner.browser.get('/admin/tls')).status).toBe(403)
    expect((await renew(owner, { name: 'svc.example.com' })).status).toBe(403)
  })

  test('that are files which cannot be read say why, and are not renewed', async () => {
    const root = await arrive(s, 'root', { isAdmin: true })
    const files = { certificate: '/nowhere/cert.pem', key: '/nowhere/key.pem' }
    Object.assign(s.ctx.config.tls, { mode: 'files', files })
    const { mode, fault, items } = (await root.browser.get('/admin/tls')).body.data
    expect([mode, fault, items]).toEqual(['files', expect.stringContaining('/nowhere/cert.pem'), []])
    const renewed = await renew(root, { name: 'svc.example.com' })
    expect([renewed.status, renewed.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('svc doctor', () => {
  const lines = async () => {
    const { ctx } = s
    const checks = await tlsExamination.database?.({
      handle: ctx,
      config: ctx.config,
      vault: ctx.vault,
      now: ctx.clock.now(),
    })
    return checks?.map(({ status, message }) => `${status}: ${message}`)
  }

  test('says nothing where no certificates are wanted', async () => {
    const config = { ...s.ctx.config, tls: { ...s.ctx.config.tls, mode: 'off' as const, names: [] } }
    const examined = { handle: s.ctx, config, vault: s.ctx.vault, now: s.ctx.clock.now() }
    expect(await tlsExamination.database?.(examined)).toEqual([])
  })

  test('has a line for each name', async () => {
    expect(await lines()).toEqual([expect.stringMatching(/^warn: The server has not asked for it yet/)])
    await syncNames(s.ctx, own('svc.example.com'))
    expect(await lines()).toEqual([expect.stringMatching(/^warn: There is none yet/)])
    await saveFailure(s.ctx, 'svc.example.com', FAILURE)
    expect(await lines()).toEqual([expect.stringMatching(/^fail: There is none\. nothing answers\./)])
    await saveIssued(s.ctx, 'svc.example.com', await certificate('svc.example.com', 90))
    expect(await lines()).toEqual([expect.stringMatching(/^ok: It is valid until /)])
    await saveFailure(s.ctx, 'svc.example.com', FAILURE)
    expect(await lines()).toEqual([expect.stringMatching(/^warn: It is valid until .* could not be renewed/)])
    s.ctx.clock.advance(91 * DAY)
    expect(await lines()).toEqual([expect.stringMatching(/^fail: It ended on /)])
  })
})
