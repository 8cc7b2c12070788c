import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { ImportStatus } from '../../src/moving/imports/model'
import { findTexts } from '../support/byte-search'
import { BUNDLE, MONTHLY, type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { renew, rowOf } from '../support/facts'
import { notify } from '../support/notify'

let s: Stage
let count = 0
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

/** A person with a label and without anything else. */
async function someone(): Promise<{ id: string; device: string; label: string }> {
  const device = `svc_outside_${++count}_x`
  const label = `outside-label-${count}-x`
  await s.post('/v1/identify', { deviceKey: device, appUserId: label })
  return { id: (await rowOf(s, device)).id, device, label }
}

async function insertJob(status: ImportStatus, bytes: Uint8Array | string, packing?: 'GZIP'): Promise<string> {
  const id = `imp_${++count}`
  await s.ctx.state.blobs.write(`imports/${id}/0`, new Response(bytes as string).body as ReadableStream)
  const now = s.ctx.clock.now()
  const counters = {
    rows: 0,
    valid: 0,
    invalid: 0,
    subscribersNew: 0,
    purchasesNew: 0,
    purchasesUpdated: 0,
    skipped: 0,
  }
  await s.ctx.write((tx) =>
    tx.db.insert(tx.tables.importJobs).values({
      ...{
        id,
        projectId: s.project.id,
        kind: 'HISTORY',
        status,
        fileName: 'a.csv',
        files: [
          {
            ...{ key: `imports/${id}/0`, name: 'a.csv', bytes: bytes.length, sha256: '' },
            ...(packing && { packing }),
          },
        ],
        headers: [],
        mapping: null,
      },
      options: { skipSandbox: true, importAnchorless: true, enrichUngroupedChains: false },
      counters: { ...counters, verified: 0, unverifiable: 0, remaining: 0 },
      ...{ findings: { errors: [], unknownProducts: [] }, checkpoint: null, startedBy: 'CLI', seenAt: now },
      ...{ createdAt: now, updatedAt: now },
    }),
  )
  return id
}

const jobOf = async (id: string) => {
  const { importJobs: j } = s.ctx.tables
  const [row] = await s.ctx.db.select().from(j).where(eq(j.id, id))
  return { status: row?.status, files: await s.ctx.state.blobs.list(`imports/${id}/`) }
}

describe('the files of an import', () => {
  test('that has ended are removed', async () => {
    const { id, label } = await someone()
    const job = await insertJob('COMPLETED', `user\n${label}\n`)
    await erase(s, id)
    expect(await jobOf(job)).toEqual({ status: 'COMPLETED', files: [] })
  })

  const forms: [name: string, pack: (text: string) => Uint8Array | string][] = [
    ['plain text', (text) => text],
    ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['gzip', (text) => Bun.gzipSync(text)],
    ['a long text', (text) => text.replace('\n', `\n${'somebody\n'.repeat(20_000)}`)],
  ]
  for (const [name, pack] of forms)
    test(`that waits for a decision and names the person as ${name} are removed, and it has failed`, async () => {
      const { id, label } = await someone()
      const packing = name === 'gzip' ? 'GZIP' : undefined
      const [job, others] = [
        await insertJob('DRY_RUN_COMPLETE', pack(`user\n${label}\n`), packing),
        await insertJob('DRY_RUN_COMPLETE', pack('user\nsomebody-else\n'), packing),
      ]
      await erase(s, id)
      expect(await jobOf(job)).toEqual({ status: 'FAILED', files: [] })
      expect(await jobOf(others)).toMatchObject({ status: 'DRY_RUN_COMPLETE', files: [`imports/${others}/0`] })
    })

  test('that is at work are waited for', async () => {
    const { id, label } = await someone()
    const job = await insertJob('RUNNING', `user\n${label}\n`)
    await expect(erase(s, id)).rejects.toThrow('still read by')
    expect((await rowOf(s, `svc_outside_${label.split('-')[2]}_x`)).erasedAt).not.toBeNull()
    const { importJobs: j } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(j).set({ status: 'COMPLETED' }).where(eq(j.id, job)))
    await erase(s, id)
    expect(await jobOf(job)).toEqual({ status: 'COMPLETED', files: [] })
    expect(await findTexts(s.ctx, [label])).toEqual([])
  })
})

test('the findings of an import quote nobody of several people who are erased at once', async () => {
  const people: Awaited<ReturnType<typeof someone>>[] = []
  for (let made = 0; made < 8; made++) people.push(await someone())
  const job = await insertJob('COMPLETED', 'user\n')
  const { importJobs: j } = s.ctx.tables
  const errors = [...people.map(({ label }) => label), 'nobody'].map((name, index) => ({
    ...{ line: index + 2, column: 'user', message: `${name} is in two rows` },
  }))
  await s.ctx.write((tx) =>
    tx.db
      .update(j)
      .set({ findings: { errors, unknownProducts: [] } })
      .where(eq(j.id, job)),
  )
  await Promise.all(people.map(({ id }) => erase(s, id)))
  const [row] = await s.ctx.db.select({ findings: j.findings }).from(j).where(eq(j.id, job))
  expect(row?.findings.errors.map(({ message }) => message)).toEqual(['nobody is in two rows'])
})

test('a person who is named like a product, a currency or an environment leaves the data of others alone', async () => {
  const words = [MONTHLY.productId, BUNDLE, 'Sandbox', 'USD', 'Auto-Renewable Subscription', 'Apple', 'sandbox']
  const bought = s.buy(MONTHLY)
  const kept = { 'idempotency-key': 'kept-of-another' }
  await s.receipt('svc_outside_buyer', bought)
  const headers = { ...kept, 'x-svc-app-user-id': 'svc_outside_buyer' }
  const answer = await s.post(
    '/v1/me/attributes',
    { attributes: { note: 'USD', product: MONTHLY.productId } },
    { headers },
  )
  expect(answer.status).toBe(200)
  const signed = s.buy(MONTHLY, { appAccountToken: crypto.randomUUID() })
  await s.receipt('svc_outside_second', signed)
  for (const transaction of [bought, signed]) await notify(s, ['DID_RENEW', null], renew(s, transaction, MONTHLY))
  const files = await insertJob('DRY_RUN_COMPLETE', `user_id,product_id,currency\nsomebody,${words.join(',')}\n`)
  const { storeEvents: e, idempotencyKeys: k } = s.ctx.tables
  const stored = async () => [await s.ctx.db.select().from(e).orderBy(e.id), await s.ctx.db.select().from(k)]
  const before = await stored()
  expect(before.map(({ length }) => length > 0)).toEqual([true, true])
  for (const [n, word] of words.entries()) {
    const deviceKey = n % 2 === 0 ? word : `svc_outside_word_${n}`
    await s.get('/v1/me', undefined, { headers: { 'x-svc-app-user-id': deviceKey } })
    if (n % 2 === 1) await s.post('/v1/identify', { deviceKey, appUserId: word })
    await erase(s, (await rowOf(s, deviceKey)).id)
  }
  expect(await stored()).toEqual(before)
  expect(await jobOf(files)).toMatchObject({ status: 'DRY_RUN_COMPLETE' })
  // The buyer's own erasure still finds both.
  await erase(s, (await rowOf(s, 'svc_outside_buyer')).id)
  const [events, answers] = await stored()
  expect(events?.filter((row) => 'body' in row && row.body === '')).toHaveLength(1)
  expect(answers).toHaveLength((before[1]?.length ?? 0) - 1)
})

test('an erasure that was interrupted goes on, and its certificate counts what was done before', async () => {
  const { id, device, label } = await someone()
  await s.post('/v1/me/attributes', { attributes: { note: 'a' } }, { headers: { 'x-svc-app-user-id': device } })
  const { remains } = s.ctx.state
  const clean = remains.clean.bind(remains)
  remains.clean = async () => {
    throw new Error('the disk is full')
  }
  await expect(erase(s, id)).rejects.toThrow('the disk is full')
  remains.clean = clean
  const certificate = await erase(s, id)
  const { tables } = JSON.parse(Buffer.from(certificate.split('.')[1] ?? '', 'base64url').toString())
  expect(tables.subscribers.reduced).toBeGreaterThan(0)
  expect(tables.events.reduced).toBeGreaterThan(0)
  expect(await findTexts(s.ctx, [label, device])).toEqual([])
})

test('somebody who is not there is 404, and without a master key nobody is erased', async () => {
  await expect(erase(s, `sub_${'0'.repeat(26)}`)).rejects.toMatchObject({ refusal: 'NOT_FOUND' })
  const { id, label } = await someone()
  const without = { ...s, ctx: Object.assign(Object.create(s.ctx), { vault: null }) }
  await expect(erase(without, id)).rejects.toMatchObject({ refusal: 'FEATURE_NOT_CONFIGURED' })
  expect((await s.ctx.db.select().from(s.ctx.tables.subscribers)).map(({ appUserId }) => appUserId)).toContain(label)
})

test('a project of another tenant is not touched', async () => {
  const device = 'svc_of_two'
  await s.post('/v1/identify', { deviceKey: device, appUserId: 'two' })
  await s.post('/v1/identify', { deviceKey: device, appUserId: 'two' }, { key: s.other.publicKey })
  await erase(s, (await rowOf(s, device)).id)
  const theirs = await s.get('/v1/me', device, { key: s.other.publicKey })
  expect(theirs.body.data.subscriber).toMatchObject({ appUserId: 'two' })
})

test('a renewal that the store reports later changes nothing, and its body is not kept', async () => {
  const device = 'svc_renewing'
  const bought = { ...s.buy(MONTHLY), appAccountToken: '6f6f2b0e-0d9f-4a3c-8f0e-3b7a3f1c9d11' }
  await s.receipt(device, bought)
  const { id } = await rowOf(s, device)
  await erase(s, id)
  s.ctx.clock.advance(31 * 86_400_000)
  const rows = await s.ctx.db.$count(s.ctx.tables.subscribers)
  const answer = await notify(s, ['DID_RENEW', null], {
    ...renew(s, bought, MONTHLY),
    appAccountToken: bought.appAccountToken,
  })
  expect(answer.status).toBe(200)
  const [event] = (await s.ctx.db.select().from(s.ctx.tables.storeEvents)).slice(-1)
  expect(event).toMatchObject({ status: 'IGNORED', error: 'its owner was erased', body: '' })
  expect(await s.ctx.db.$count(s.ctx.tables.subscribers)).toBe(rows)
  const types = (await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)).filter(
    (one) => one.subscriberId === id,
  )
  expect(types.at(-1)?.type).toBe('entitlement.revoked')
})
