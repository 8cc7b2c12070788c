import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type Stage, stage } from '../support/cast'

let on: Stage

beforeAll(async () => {
  on = await stage()
  const { offerings, products } = on.ctx.tables
  const stamps = { createdAt: 1, updatedAt: 1 }
  const [monthly] = await on.ctx.db
    .select()
    .from(products)
    .where(eq(products.id, 'prd_1pro_monthly'.padEnd(30, '0')))
  const retired = { ...monthly, id: 'prd_retired', identifier: 'retired', iosId: 'com.x.retired', isActive: false }
  const slot = (productId: string, order: number) => ({
    identifier: productId,
    productId,
    order,
    isPromoted: true,
    metadata: { n: order },
  })
  await on.ctx.write(async (tx) => {
    await tx.db.insert(products).values(retired as typeof products.$inferInsert)
    await tx.db.insert(offerings).values([
      {
        id: 'off_a',
        projectId: on.project.id,
        identifier: 'a$x',
        isDefault: false,
        packages: [slot('prd_retired', 0), slot('prd_gone', 1), slot(monthly?.id ?? '', 2)],
        metadata: {},
        ...stamps,
      },
      {
        id: 'off_b',
        projectId: on.other.id,
        identifier: 'theirs',
        isDefault: false,
        packages: [],
        metadata: {},
        ...stamps,
      },
    ])
  })
})

afterAll(() => on.close())

const subscriberCount = async () => (await on.ctx.db.select().from(on.ctx.tables.subscribers)).length

describe('GET /v1/offerings', () => {
  test('needs a key, and either kind will do', async () => {
    expect((await on.get('/v1/offerings', undefined, { key: null })).body.error.code).toBe('BEARER_REQUIRED')
    expect((await on.get('/v1/offerings')).status).toBe(200)
    expect((await on.get('/v1/offerings', undefined, { key: on.project.secretKey })).status).toBe(200)
  })

  test('shows every offering with its packages in their order', async () => {
    const { body } = await on.get('/v1/offerings')
    expect(body.data.offerings.map(({ identifier }: { identifier: string }) => identifier)).toEqual(['a$x', 'standard'])
    expect(body.data.offerings[1]).toEqual({
      identifier: 'standard',
      isDefault: true,
      metadata: { headline: 'Sleep better' },
      packages: [
        {
          packageIdentifier: '$svc_monthly',
          identifier: 'pro_monthly',
          type: 'SUBSCRIPTION',
          displayName: 'pro_monthly',
          order: 0,
          isPromoted: false,
          accessIds: ['acc_1pro'.padEnd(30, '0')],
          storeIds: { ios: 'com.x.pro.monthly', android: null, payment: null },
          androidBasePlanId: null,
          androidOfferId: null,
          metadata: {},
        },
        expect.objectContaining({ packageIdentifier: '$svc_annual', identifier: 'pro_yearly', order: 1 }),
      ],
    })
  })

  test('drops packages whose product is inactive or gone', async () => {
    const { body } = await on.get('/v1/offerings/a$x')
    expect(body.data.packages).toEqual([
      expect.objectContaining({ identifier: 'pro_monthly', order: 2, isPromoted: true, metadata: { n: 2 } }),
    ])
  })

  test('another project has its own', async () => {
    const { body } = await on.get('/v1/offerings', undefined, { key: on.other.publicKey })
    expect(body.data.offerings.map(({ identifier }: { identifier: string }) => identifier)).toEqual([
      'standard',
      'theirs',
    ])
  })

  test('reads no database once the project is known, when nobody says who they are', async () => {
    await on.get('/v1/offerings')
    const { db } = on.ctx
    const dead = new Proxy(db, {
      get: () => () => {
        throw new Error('the database was asked')
      },
    })
    Object.assign(on.ctx, { db: dead })
    try {
      expect((await on.get('/v1/offerings')).status).toBe(200)
      expect((await on.get('/v1/offerings/default')).status).toBe(200)
      expect((await on.get('/v1/offerings', 'svc_someone')).status).toBe(500)
    } finally {
      Object.assign(on.ctx, { db })
    }
  })

  test('knows who asks, and makes nobody', async () => {
    const before = await subscriberCount()
    expect((await on.get('/v1/offerings', 'svc_stranger')).status).toBe(200)
    expect((await on.get('/v1/offerings?subscriberId=svc_stranger')).status).toBe(200)
    expect(await subscriberCount()).toBe(before)
  })

  test('refuses a device key that nobody may have', async () => {
    const { status, body } = await on.get('/v1/offerings', 'ios:1')
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await on.get(`/v1/offerings?subscriberId=${'x'.repeat(129)}`)).status).toBe(400)
  })
})

describe('GET /v1/offerings/:identifier', () => {
  test('needs a key', async () => {
    expect((await on.get('/v1/offerings/standard', undefined, { key: null })).status).toBe(401)
  })

  test('default is the default offering', async () => {
    expect((await on.get('/v1/offerings/default')).body).toEqual((await on.get('/v1/offerings/standard')).body)
  })

  test('default is the offering of that name where there is one', async () => {
    const { offerings } = on.ctx.tables
    const row = {
      id: 'off_named',
      projectId: on.other.id,
      identifier: 'default',
      isDefault: false,
      packages: [],
      metadata: { named: true },
      createdAt: 1,
      updatedAt: 1,
    }
    await on.ctx.write((tx) => tx.db.insert(offerings).values(row))
    on.ctx.state.projects.forget(on.other.id)
    const { body } = await on.get('/v1/offerings/default', undefined, { key: on.other.publicKey })
    expect(body.data).toMatchObject({ identifier: 'default', isDefault: false, metadata: { named: true } })
  })

  test('an unknown one and another project’s are both 404', async () => {
    for (const identifier of ['nope', 'theirs', 'off_a']) {
      const { status, body } = await on.get(`/v1/offerings/${identifier}`)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('something that cannot be an identifier is 400', async () => {
    for (const identifier of ['a%20b', 'x'.repeat(65), '%C3%A9'])
      expect((await on.get(`/v1/offerings/${identifier}`)).status).toBe(400)
  })
})

describe('tags', () => {
  const tagOf = async (path: string, device?: string) => (await on.get(path, device)).headers.get('etag') ?? ''

  test('what has not changed is 304 without a body, with the same headers', async () => {
    for (const path of ['/v1/offerings', '/v1/offerings/default']) {
      const etag = await tagOf(path)
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
      for (const header of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const answer = await on.get(path, undefined, { headers: { 'if-none-match': header } })
        expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, null, etag])
        expect(answer.headers.get('cache-control')).toBe('private, no-cache')
      }
      expect((await on.get(path, undefined, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    }
  })

  test('a tag belongs to one subscriber; strangers share the anonymous one', async () => {
    await on.get('/v1/me', 'svc_ada')
    await on.get('/v1/me', 'svc_bo')
    const [nobody, stranger, ada, bo] = await Promise.all([
      tagOf('/v1/offerings'),
      tagOf('/v1/offerings', 'svc_new'),
      tagOf('/v1/offerings', 'svc_ada'),
      tagOf('/v1/offerings', 'svc_bo'),
    ])
    expect(stranger).toBe(nobody)
    expect(new Set([nobody, ada, bo]).size).toBe(3)
  })
})

describe('on the browser surface', () => {
  const browser = (path: string, origin?: string, key = on.project.publicKey) =>
    on.get(`/v1/web/${on.project.publicKey}${path}`, undefined, {
      key,
      headers: origin === undefined ? {} : { origin },
    })

  test('offerings are the same', async () => {
    const answer = await browser('/offerings', 'https://app.example.com')
    expect(answer.body).toEqual((await on.get('/v1/offerings')).body)
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect((await browser('/offerings/default', 'https://app.example.com')).body.data.identifier).toBe('standard')
  })

  test('an origin that is not allowed, or none, is refused', async () => {
    expect((await browser('/offerings', 'https://evil.example')).body.error).toMatchObject({
      code: 'ORIGIN_NOT_ALLOWED',
      details: { origin: 'https://evil.example' },
    })
    expect((await browser('/offerings')).body.error.code).toBe('ORIGIN_NOT_ALLOWED')
  })

  test('a secret key has no business there', async () => {
    expect((await browser('/offerings', 'https://app.example.com', on.project.secretKey)).body.error.code).toBe(
      'API_KEY_KIND_MISMATCH',
    )
  })
})
