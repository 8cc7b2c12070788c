import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type TestApp, type TestContext, testApp, testContext } from '../../../test/support/context'
import { AppError, type ErrorCode } from '../../base/errors'
import { DAY, HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { verifyAudit } from '../audit/audit'
import {
  type CreatedKey,
  createKey,
  createProject,
  flushKeyUse,
  listKeys,
  MAX_KEYS,
  revokeKey,
  rotateKey,
  suspendProject,
  unsuspendProject,
} from './service'

let ctx: TestContext
let app: TestApp

beforeAll(async () => {
  ctx = await testContext()
  app = testApp(ctx)
})
afterAll(() => ctx.close())

const statusOf = async (key: string | null): Promise<number> => {
  const headers = { authorization: `Bearer ${key}` }
  return (await app.handle(new Request('http://localhost/v1/offerings', { headers }))).status
}

async function refusal(work: Promise<unknown>): Promise<[ErrorCode, unknown]> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw error ?? new Error('nothing was refused')
  return [error.refusal, error.details ?? null]
}

const auditOf = async (projectId: string) => {
  const { auditLog: a } = ctx.tables
  return ctx.db.select().from(a).where(eq(a.projectId, projectId)).orderBy(a.position)
}

describe('createProject', () => {
  test('gives a key pair that works at once, and keeps the secret as a hash only', async () => {
    const { project, key, publicKey, secretKey } = await createProject(ctx, { name: '  Sleep App ' })
    expect(project).toMatchObject({
      name: 'Sleep App',
      slug: 'sleep-app',
      timezone: 'UTC',
      allowedOrigins: [],
      settings: {},
    })
    expect(publicKey).toMatch(/^svc_pub_[0-9A-Za-z]{32}$/)
    expect(secretKey).toMatch(/^svc_sec_[0-9A-Za-z]{43}$/)
    expect(key).toMatchObject({ kind: 'pair', environment: 'PROD', publicKey, secretLast4: secretKey?.slice(-4) ?? '' })
    expect([await statusOf(publicKey), await statusOf(secretKey)]).toEqual([200, 200])
    const [row] = await ctx.db.select().from(ctx.tables.apiKeys).where(eq(ctx.tables.apiKeys.id, key.id))
    expect(row?.secretHash).toBe(sha256Hex(secretKey ?? ''))
    const kept = JSON.stringify([row, await auditOf(project.id), await listKeys(ctx, project.id)])
    expect(kept).not.toContain(secretKey ?? '')
  })

  test('makes a slug from the name, and makes it unique', async () => {
    const slugs = await Promise.all(
      ['Dream', 'dream!', 'DREAM', '夢', 'Şişli Çağ'].map(
        async (name) => (await createProject(ctx, { name })).project.slug,
      ),
    )
    expect(slugs.sort()).toEqual(['dream', 'dream-2', 'dream-3', 'project', 'sisli-cag'])
  })

  test('takes a slug as it is given, unless it is in use or no slug', async () => {
    expect((await createProject(ctx, { name: 'A', slug: 'my-slug' })).project.slug).toBe('my-slug')
    expect((await refusal(createProject(ctx, { name: 'A', slug: 'my-slug' })))[0]).toBe('CONFLICT')
    for (const slug of ['', 'A', 'a_b', '-a', 'a-', 'x'.repeat(65)])
      expect((await refusal(createProject(ctx, { name: 'A', slug })))[0]).toBe('VALIDATION_ERROR')
    for (const name of ['', '  ', 'x'.repeat(256)])
      expect((await refusal(createProject(ctx, { name })))[0]).toBe('VALIDATION_ERROR')
  })

  test('begins an audit chain', async () => {
    const { project } = await createProject(ctx, { name: 'Chain' })
    expect((await auditOf(project.id)).map(({ action }) => action)).toEqual(['project.create'])
    expect(await verifyAudit(ctx, project.id)).toMatchObject({ ok: true, count: 1 })
  })
})

test('a suspended project keeps its apps running; doing it twice changes nothing', async () => {
  const { project, publicKey } = await createProject(ctx, { name: 'Suspended' })
  const suspended = await suspendProject(ctx, project.id)
  expect(suspended.suspendedAt).toBe(ctx.clock.now())
  expect(suspended.configVersion).toBeGreaterThan(project.configVersion)
  expect(await statusOf(publicKey)).toBe(200)
  expect(await suspendProject(ctx, project.id)).toEqual(suspended)
  expect((await unsuspendProject(ctx, project.id)).suspendedAt).toBeNull()
  expect((await auditOf(project.id)).slice(1).map(({ action }) => action)).toEqual([
    'project.suspend',
    'project.unsuspend',
  ])
  expect((await refusal(suspendProject(ctx, 'prj_none')))[0]).toBe('NOT_FOUND')
})

describe('keys', () => {
  const made = async (name: string): Promise<CreatedKey & { projectId: string }> => {
    const created = await createProject(ctx, { name })
    return { ...created, projectId: created.project.id }
  }

  test('a key has the halves of its kind', async () => {
    const { projectId } = await made('Kinds')
    const halves = async (kind: 'pair' | 'public' | 'secret') => {
      const { publicKey, secretKey, key } = await createKey(ctx, projectId, { label: kind, kind })
      return [publicKey !== null, secretKey !== null, key.secretLast4 !== null]
    }
    expect(await halves('pair')).toEqual([true, true, true])
    expect(await halves('public')).toEqual([true, false, false])
    expect(await halves('secret')).toEqual([false, true, true])
  })

  test('a key keeps what it was given, its origins normalised', async () => {
    const { projectId } = await made('Given')
    const expiresAt = ctx.clock.now() + DAY
    const { key } = await createKey(ctx, projectId, {
      label: ' web ',
      environment: 'STAGING',
      allowedOrigins: ['HTTPS://A.example:443', 'https://a.example'],
      expiresAt,
      ratePerMinute: 5,
    })
    expect(key).toMatchObject({
      label: 'web',
      environment: 'STAGING',
      allowedOrigins: ['https://a.example'],
      expiresAt,
      ratePerMinute: 5,
    })
  })

  test('what cannot be a key is refused', async () => {
    const { projectId } = await made('Refused')
    const cases: [input: Parameters<typeof createKey>[2], code: ErrorCode][] = [
      [{ label: ' ' }, 'VALIDATION_ERROR'],
      [{ label: 'x'.repeat(256) }, 'VALIDATION_ERROR'],
      [{ label: 'x', kind: 'none' as 'pair' }, 'VALIDATION_ERROR'],
      [{ label: 'x', environment: 'PRODUCTION' as 'PROD' }, 'VALIDATION_ERROR'],
      [{ label: 'x', expiresAt: ctx.clock.now() }, 'VALIDATION_ERROR'],
      [{ label: 'x', ratePerMinute: -1 }, 'VALIDATION_ERROR'],
      [{ label: 'x', allowedOrigins: ['https://a.example/x'] }, 'ORIGIN_INVALID'],
      [
        { label: 'x', allowedOrigins: Array.from({ length: 51 }, (_, n) => `https://a${n}.example`) },
        'VALIDATION_ERROR',
      ],
    ]
    for (const [input, code] of cases) expect((await refusal(createKey(ctx, projectId, input)))[0]).toBe(code)
    expect((await refusal(createKey(ctx, 'prj_none', { label: 'x' })))[0]).toBe('NOT_FOUND')
    expect(await listKeys(ctx, projectId)).toHaveLength(1)
  })

  test(`a project has at most ${MAX_KEYS} keys that are not revoked`, async () => {
    const { projectId, key } = await made('Many')
    for (let count = 1; count < MAX_KEYS; count++) await createKey(ctx, projectId, { label: 'x' })
    expect((await refusal(createKey(ctx, projectId, { label: 'x' })))[0]).toBe('CONFLICT')
    await revokeKey(ctx, key.id)
    expect((await createKey(ctx, projectId, { label: 'x' })).secretKey).not.toBeNull()
  })

  test('rotating gives a new secret; the public key stays', async () => {
    const { key, publicKey, secretKey } = await made('Rotated')
    expect(await statusOf(secretKey)).toBe(200)
    const rotated = await rotateKey(ctx, key.id)
    expect(rotated.publicKey).toBe(publicKey)
    expect([await statusOf(secretKey), await statusOf(rotated.secretKey), await statusOf(publicKey)]).toEqual([
      401, 200, 200,
    ])
  })

  test('an old secret lives through the overlap and no longer', async () => {
    const { key, secretKey } = await made('Overlap')
    const { secretKey: fresh } = await rotateKey(ctx, key.id, 2)
    expect(await statusOf(secretKey)).toBe(200)
    ctx.clock.advance(2 * HOUR)
    expect([await statusOf(secretKey), await statusOf(fresh)]).toEqual([401, 200])
  })

  test('rotating is refused for a public or revoked key, a wrong overlap, an unknown id', async () => {
    const { projectId, key } = await made('Unrotatable')
    const open = await createKey(ctx, projectId, { label: 'x', kind: 'public' })
    expect((await refusal(rotateKey(ctx, open.key.id)))[0]).toBe('VALIDATION_ERROR')
    for (const hours of [-1, 169, 1.5])
      expect((await refusal(rotateKey(ctx, key.id, hours)))[0]).toBe('VALIDATION_ERROR')
    await revokeKey(ctx, key.id)
    expect((await refusal(rotateKey(ctx, key.id)))[0]).toBe('CONFLICT')
    expect((await refusal(rotateKey(ctx, 'key_none')))[0]).toBe('NOT_FOUND')
  })

  test('a revoked key ends at once, its overlapping secret too', async () => {
    const { projectId, key, publicKey, secretKey } = await made('Revoked')
    const { secretKey: fresh } = await rotateKey(ctx, key.id, 24)
    expect(await statusOf(publicKey)).toBe(200)
    const revoked = await revokeKey(ctx, key.id)
    expect([await statusOf(publicKey), await statusOf(secretKey), await statusOf(fresh)]).toEqual([401, 401, 401])
    expect(await revokeKey(ctx, key.id)).toEqual(revoked)
    expect((await auditOf(projectId)).map(({ action }) => action)).toEqual([
      'project.create',
      'apiKey.rotate',
      'apiKey.revoke',
    ])
  })

  test('use is written at most once a minute', async () => {
    const { projectId, publicKey } = await made('Used')
    const lastUse = async () => (await listKeys(ctx, projectId))[0]?.lastUsedAt ?? null
    const use = async () => {
      await statusOf(publicKey)
      await flushKeyUse(ctx)
    }
    const start = ctx.clock.now()
    await use()
    expect(await lastUse()).toBe(start)
    ctx.clock.advance(59 * SECOND)
    await use()
    expect(await lastUse()).toBe(start)
    ctx.clock.advance(SECOND)
    await use()
    expect(await lastUse()).toBe(start + MINUTE)
  })
})
