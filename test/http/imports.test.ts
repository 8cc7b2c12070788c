import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { identify, rowOf } from '../support/facts'
import { type ImportStage, importSample, importStage, rowsOf } from '../support/import-stage'
import { browserOf, staffId } from '../support/staff'

let s: Stage
let i: ImportStage
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  i = importStage(s)
})
afterEach(() => s.close())

/** Changes are limited to five a minute. */
const later = () => s.ctx.clock.advance(61_000)

const sample = (name: string) => Bun.file(importSample(name)).bytes()

async function tried(content: string | Uint8Array) {
  const { id } = await i.make(content)
  expect((await i.act(id, 'dry-run')).status).toBe(202)
  return i.worked(id)
}

describe('a file', () => {
  test('is stored, recognised, and mapped by its header', async () => {
    const answer = await i.upload(await sample('revenuecat_v5.csv'), { fileName: 'v5.csv' })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      ...{ kind: 'HISTORY', status: 'PENDING_MAPPING', preset: 'revenuecat_v5', fileName: 'v5.csv', bytes: 22217 },
      options: { skipSandbox: true, importAnchorless: true, enrichUngroupedChains: false },
      counters: { rows: 0, valid: 0, invalid: 0 },
      ...{ startedBy: 'usr_admin', finishedAt: null, filesDeletedAt: null, fileRows: null, revision: 1 },
    })
    expect(answer.body.data.headers).toHaveLength(44)
    expect(answer.body.data.mapping.columns.price).toBe('purchase_price_in_purchased_currency')
    expect(answer.body.data.mapping.valueMap.store.rc_billing).toBe('payment')
    expect([...i.blobs.held.keys()]).toEqual([`imports/${answer.body.data.id}/0`])
  })

  test('of an unknown vendor has no preset and no mapping', async () => {
    expect(await i.make('who,what\na,b\n')).toMatchObject({ preset: null, mapping: null, kind: 'HISTORY' })
  })

  test('with a header only has no rows', async () => {
    const job = await tried(rowsOf(0))
    expect(job).toMatchObject({ status: 'DRY_RUN_COMPLETE', counters: { rows: 0, valid: 0, invalid: 0 }, errors: [] })
  })

  const refused: [name: string, content: string | Uint8Array, says: RegExp][] = [
    ['empty', '', /empty/],
    ['with a header beyond 64 KiB', `${'a,'.repeat(33_000)}\n1`, /longer than 64 KiB/],
    ['with a million columns', `${'a,'.repeat(1_000_000)}\n1`, /longer than 64 KiB/],
    ['in Latin-1', new Uint8Array([0x4b, 0xfc, 44, 98, 10]), /line 1, column 1\) is not UTF-8/],
    ['in UTF-16 without a mark', Buffer.from('a,b\n1,2\n', 'utf16le'), /NUL/],
    ['gzip within gzip', Bun.gzipSync(Bun.gzipSync(Buffer.from('a,b\n'))), /another packed file/],
    ['gzip that is cut off', Bun.gzipSync(Buffer.from(rowsOf(5000))).slice(0, 20), /damaged or cut off/],
    ['zip that is cut off', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), /damaged or cut off/],
  ]
  test.each(refused)('%s is refused, and nothing stays', async (_name, content, says) => {
    const answer = await i.upload(content)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('VALIDATION_ERROR')
    expect(answer.body.error.message).toMatch(says)
    expect(i.blobs.held.size).toBe(0)
    expect((await i.team.as('ADMIN').get('/imports')).body.data.items).toEqual([])
  })

  test('of another type is refused', async () => {
    const answer = await i.upload('a,b', { headers: { 'content-type': 'application/json' } })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('that declares more than 2 GiB is refused before it is read', async () => {
    const answer = await i.upload('a,b', { headers: { 'content-length': String(2 ** 31 + 1) } })
    expect([answer.status, answer.body.error.code]).toEqual([413, 'IMPORT_FILE_TOO_LARGE'])
    expect(i.blobs.held.size).toBe(0)
  })

  test('is refused while the storage does not work', async () => {
    i.blobs.isAway = true
    const answer = await i.upload(rowsOf(1))
    expect([answer.status, answer.body.error.code]).toEqual([503, 'IMPORT_STORAGE_UNAVAILABLE'])
    i.blobs.isAway = false
    expect((await i.team.as('ADMIN').get('/imports')).body.data.items).toEqual([])
  })

  test('may be larger than other bodies', async () => {
    const answer = await i.upload(rowsOf(30_000), { headers: { 'content-length': '2000000' } })
    expect(answer.status).toBe(201)
  })
})

describe('a mapping', () => {
  const generic = async () => {
    const { id } = await i.make(await sample('generic_decimal_comma.csv'))
    return id
  }
  const mapping = async () => (await Bun.file(importSample('generic_decimal_comma.expect.json')).json()).mapping

  test('is changed, and then the rows are read by it', async () => {
    const id = await generic()
    const changed = await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, await mapping())
    expect(changed.status).toBe(200)
    expect(changed.body.data).toMatchObject({ status: 'PENDING_MAPPING', revision: 2 })
    await i.act(id, 'dry-run')
    expect(await i.worked(id)).toMatchObject({ counters: { rows: 11, valid: 8, invalid: 3, skipped: 1 } })
  })

  test('without a required column does not start', async () => {
    const id = await generic()
    const answer = await i.act(id, 'dry-run')
    expect([answer.status, answer.body.error.code]).toEqual([400, 'IMPORT_MAPPING_INCOMPLETE'])
    expect(answer.body.error.details.missingFields).toEqual([
      ...['subscriberExternalId', 'store', 'productIdentifier', 'purchaseDate'],
    ])
    await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, {
      columns: { subscriberExternalId: 'Kunde', store: 'Shop', receipt: 'Abo', price: 'Betrag' },
    })
    expect((await i.act(id, 'dry-run')).body.error.details.missingFields).toEqual(['currency'])
  })

  const faulty: [name: string, body: object, says: RegExp][] = [
    ['a header that the file does not have', { columns: { store: 'Laden' } }, /is no header of the file/],
    ['a column that does not exist', { columns: { shop: 'Shop' } }, /is no column of an import/],
    ['a store that does not exist', { valueMap: { store: { Apple: 'amazon' } } }, /must become ios_store/],
    ['a value map of another column', { valueMap: { currency: {} } }, /currency/],
    ['an option that does not exist', { options: { dryRun: true } }, /dryRun/],
    ['an option that is no truth value', { options: { skipSandbox: 'no' } }, /skipSandbox/],
    ['another member', { preset: 'svc' }, /preset/],
  ]
  test.each(faulty)('with %s is refused', async (_name, body, says) => {
    const id = await generic()
    const answer = await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(JSON.stringify(answer.body.error)).toMatch(says)
    expect((await i.team.as('ADMIN').get(`/imports/${id}`)).body.data).toMatchObject({ mapping: null, revision: 1 })
  })

  test('of a header that stands twice is refused', async () => {
    const { id } = await i.make('a,a,b\n1,2,3\n')
    const answer = await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, { columns: { store: 'a' } })
    expect(answer.body.error.message).toMatch(/2 times/)
  })

  test('of another revision is refused', async () => {
    const id = await generic()
    const headers = { 'if-match': '"7"' }
    const answer = await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, await mapping(), { headers })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
  })
})

describe('a dry run', () => {
  test('counts, names the faults by line and column, and writes no row', async () => {
    const expectation = await Bun.file(importSample('revenuecat_v5.expect.json')).json()
    const job = await tried(await sample('revenuecat_v5.csv'))
    expect(job.status).toBe('DRY_RUN_COMPLETE')
    expect(job.counters).toMatchObject({ rows: 61, valid: 54, invalid: 7, skipped: 5, subscribersNew: 0 })
    const places = (errors: { line: number; column: string | null }[]) =>
      errors.map(({ line, column }) => [line, column])
    expect(places(job.errors)).toEqual(places(expectation.invalid))
    expect(i.steps.batches).toEqual([])
  })

  test('names each unknown product once, with its rows', async () => {
    const { unknownProducts } = await tried(await sample('revenuecat_v5.csv'))
    expect(unknownProducts).toContainEqual({ store: 'IOS_STORE', identifier: 'coins_100', rows: 3 })
    const names = unknownProducts.map(
      ({ store, identifier }: { store: string; identifier: string }) => store + identifier,
    )
    expect(new Set(names).size).toBe(names.length)
    const known = await tried(rowsOf(3))
    expect(known.unknownProducts).toEqual([])
  })

  test('keeps the first thousand faults, and its report has them all', async () => {
    const job = await tried(rowsOf(2500, (n) => `p${n},ios_store,x,=cmd${n},1`))
    expect(job.counters).toMatchObject({ rows: 2500, invalid: 2500 })
    expect(job.errors).toHaveLength(1000)
    const report = await i.report(job.id)
    expect(report.headers.get('content-type')).toContain('text/csv')
    expect(report.body.trimEnd().split('\r\n')).toHaveLength(2501)
  })

  test('has no formula in its report', async () => {
    const header = rowsOf(0).trimEnd().replace('store', '=HYPERLINK(1)')
    const { id } = await i.make(`${header}\np,@SUM,x,2026-01-01,1\n`, { fileName: '+evil.csv' })
    const columns = {
      ...{ subscriberExternalId: 'subscriberExternalId', store: '=HYPERLINK(1)' },
      ...{ productIdentifier: 'productIdentifier', purchaseDate: 'purchaseDate' },
    }
    await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, { columns })
    await i.act(id, 'dry-run')
    expect((await i.worked(id)).counters.invalid).toBe(1)
    const { body } = await i.report(id)
    for (const cell of body.split(/[,\r\n]+/)) expect(cell.replace(/^"/, '')).not.toMatch(/^[=+\-@]/)
    expect(body).toContain("'=HYPERLINK(1)")
  })

  test('fails with a sentence when the file cannot be read to its end', async () => {
    const packed = Bun.gzipSync(Buffer.from(rowsOf(6000)))
    const { id } = await i.make(packed.slice(0, packed.length - 500))
    await i.act(id, 'dry-run')
    const job = await i.worked(id)
    expect(job).toMatchObject({ status: 'FAILED', failure: 'The packed file is damaged or cut off' })
    expect(job.finishedAt).not.toBeNull()
  })

  test('fails with a sentence when the storage goes away, and can be repeated', async () => {
    const { id } = await i.make(rowsOf(10))
    await i.act(id, 'dry-run')
    i.blobs.isAway = true
    expect((await i.worked(id)).failure).toMatch(/storage does not work at present \(no space left on device\)/)
    i.blobs.isAway = false
    await i.act(id, 'dry-run')
    expect(await i.worked(id)).toMatchObject({ status: 'DRY_RUN_COMPLETE', failure: null, counters: { rows: 10 } })
  })
})

describe('a commit', () => {
  test('writes every row once, then asks the stores', async () => {
    const { id } = await tried(rowsOf(2500))
    expect((await i.act(id, 'commit')).status).toBe(202)
    const job = await i.worked(id)
    expect(job).toMatchObject({ status: 'COMPLETED', counters: { rows: 2500, valid: 2500, purchasesNew: 2500 } })
    expect(i.steps.batches.length).toBeGreaterThan(1)
    expect(Math.max(...i.steps.batches.map(({ lines }) => lines.length))).toBeLessThanOrEqual(1000)
    expect(i.steps.batches.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 2500 }, (_, n) => n + 2))
    expect([i.steps.isEnded, i.steps.verified]).toEqual([1, 1])
  })

  test('is resumed when the budget of the verification is used up', async () => {
    i.steps.outcome = 'VERIFICATION_INCOMPLETE'
    const { id } = await tried(rowsOf(3))
    await i.act(id, 'commit')
    expect(await i.worked(id)).toMatchObject({ status: 'VERIFICATION_INCOMPLETE', finishedAt: null })
    i.steps.outcome = 'COMPLETED'
    expect((await i.act(id, 'resume')).status).toBe(202)
    expect((await i.worked(id)).status).toBe('COMPLETED')
    expect([i.steps.batches.length, i.steps.verified]).toEqual([1, 2])
  })

  test('that is cancelled in the middle writes no further batch', async () => {
    const { id } = await tried(rowsOf(3000))
    await i.act(id, 'commit')
    let cancelled: Promise<unknown> = Promise.resolve()
    i.steps.before = () => {
      if (i.steps.batches.length === 1) cancelled = i.act(id, 'cancel')
    }
    const job = await i.worked(id)
    await cancelled
    expect(job.status).toBe('CANCELLED')
    expect(job.counters.rows).toBe(i.steps.batches.flatMap(({ lines }) => lines).length)
    expect(i.steps.batches.length).toBeLessThan(5) // The file has at least seven.
    expect([i.steps.isEnded, i.steps.verified]).toEqual([0, 0])
  })

  test('ends with a sentence when the server has an error, and writes nothing of the batch', async () => {
    const { id } = await tried(rowsOf(1500))
    await i.act(id, 'commit')
    i.steps.before = () => {
      if (i.steps.batches.length === 1) throw new TypeError('undefined is not a function')
    }
    const job = await i.worked(id)
    expect(job.status).toBe('FAILED')
    expect(job.failure).toMatch(/error of the server/)
    expect(job.failure).not.toMatch(/undefined/)
    expect(i.steps.batches.length).toBe(1)
    expect(job.counters.rows).toBe(i.steps.batches.flatMap(({ lines }) => lines).length)
  })

  test('of a second pass hands its rows to the work for tokens', async () => {
    const job = await tried(await sample('android_tokens.csv'))
    expect(job).toMatchObject({ kind: 'ANDROID_TOKEN_ENRICHMENT', counters: { rows: 6, valid: 5, invalid: 1 } })
    await i.act(job.id, 'commit')
    expect((await i.worked(job.id)).status).toBe('COMPLETED')
    expect(i.steps.batches[0]?.lines).toEqual([2, 3, 4, 5, 6])
  })
})

describe('parts', () => {
  test('of a second pass are read with the first file', async () => {
    const { id } = await i.make(await sample('android_tokens.csv'))
    const part = await i.upload(await sample('android_tokens.csv'), { path: `/imports/${id}/parts` })
    expect(part.status).toBe(200)
    expect(part.body.data.status).toBe('PENDING_MAPPING')
    await i.act(id, 'dry-run')
    expect((await i.worked(id)).counters).toMatchObject({ rows: 12, valid: 10, invalid: 2 })
  })

  test('of a history are refused, and so are other columns', async () => {
    const history = await i.make(rowsOf(1))
    const refused = await i.upload(rowsOf(1), { path: `/imports/${history.id}/parts` })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const { id } = await i.make(await sample('android_tokens.csv'))
    const other = await i.upload('user_id,x\n1,2\n', { path: `/imports/${id}/parts` })
    expect(other.body.error.message).toMatch(/has no column "android_purchase_token"/)
    expect(i.blobs.held.size).toBe(2)
  })

  test('with more than 500,000 rows are refused whole', async () => {
    const text = `user_id,android_purchase_token,android_product_id\n${'a,b,c\n'.repeat(500_001)}`
    const answer = await i.upload(Bun.gzipSync(Buffer.from(text)))
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.message).toMatch(/at most 500000 rows/)
    expect(i.blobs.held.size).toBe(0)
    later()
    const most = await i.upload(text.slice(0, -6))
    expect(most.status).toBe(201)
  })
})

describe('limits', () => {
  test('five changes a minute for each person', async () => {
    const { id } = await i.make(rowsOf(1))
    for (let n = 0; n < 4; n++) expect((await i.act(id, 'cancel')).status).not.toBe(429)
    const answer = await i.act(id, 'dry-run')
    expect([answer.status, answer.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect((await i.act(id, 'dry-run', 'OWNER')).status).toBe(202)
    later()
    expect((await i.upload(rowsOf(1))).status).toBe(201)
  })

  test('120 reads a minute for each person', async () => {
    for (let n = 0; n < 120; n++) expect((await i.team.as('ADMIN').get('/imports')).status).toBe(200)
    expect((await i.team.as('ADMIN').get('/imports')).status).toBe(429)
    expect((await i.team.as('OWNER').get('/imports')).status).toBe(200)
  })
})

type Meanwhile = () => void | Promise<void>

const member = () => `${staffId('ADMIN')} ${s.project.id}`
const removed = () => void i.team.sessions.roles.delete(member())
const signedOut = () => void i.team.sessions.sessions.delete('ADMIN')
const demoted = () => void i.team.sessions.roles.set(member(), 'CUSTOMER_SUPPORT')

/** A body whose last part comes after something happened. */
const slow = (text: string, meanwhile: Meanwhile) => {
  const bytes = new TextEncoder().encode(text)
  const half = bytes.length >> 1
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(bytes.slice(0, half)),
      async pull(controller) {
        await meanwhile()
        controller.enqueue(bytes.slice(half))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

async function send(method: string, path: string, text: string, meanwhile: Meanwhile, type = 'text/csv') {
  const { origin, cookie } = browserOf(s)
  const headers = { cookie: `${cookie}=ADMIN`, origin, 'content-type': type }
  const url = `http://localhost/dashboard/projects/${s.project.id}${path}`
  const response = await s.app.handle(new Request(url, { method, headers, body: slow(text, meanwhile) }))
  i.team.sessions.roles.set(member(), 'ADMIN')
  return [response.status, ((await response.json()) as { error?: { code: string } }).error?.code]
}

describe('who loses the right while the body is on its way', () => {
  test('makes no import, and no file stays', async () => {
    expect(await send('POST', '/imports', rowsOf(20), removed)).toEqual([404, 'NOT_FOUND'])
    expect(await send('POST', '/imports', rowsOf(20), demoted)).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect((await i.team.as('ADMIN').get('/imports')).body.data.items).toEqual([])
    expect([...i.blobs.held.keys()]).toEqual([])
  })

  /** Takes the right away when the sender was judged for the second time: behind the last byte, before the write. */
  async function afterBody(lost: () => void, call: () => Promise<unknown>) {
    const { sessions } = i.team
    const { findRole } = sessions
    let judged = 0
    sessions.findRole = async (...asked) => {
      const role = await findRole(...asked)
      if (++judged === 2) lost()
      return role
    }
    const answer = await call()
    sessions.findRole = findRole
    return answer
  }

  test('makes and changes nothing, also where it is lost while the file is looked at', async () => {
    const make = () => send('POST', '/imports', rowsOf(20), () => {})
    expect(await afterBody(removed, make)).toEqual([404, 'NOT_FOUND'])
    expect(await afterBody(demoted, make)).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect((await i.team.as('ADMIN').get('/imports')).body.data.items).toEqual([])
    expect([...i.blobs.held.keys()]).toEqual([])
    const session = i.team.sessions.sessions.get('ADMIN')
    expect(await afterBody(signedOut, make)).toEqual([401, 'UNAUTHORIZED'])
    expect([...i.blobs.held.keys()]).toEqual([])
    if (session) i.team.sessions.sessions.set('ADMIN', session)
    const admin = i.team.as('ADMIN')
    const { id } = (await admin.post('/audiences', { name: 'Late', rules: {} })).body.data
    const put = () => send('PUT', `/audiences/${id}/members`, 'ada\nben\n', () => {}, 'text/plain')
    expect(await afterBody(removed, put)).toEqual([404, 'NOT_FOUND'])
    expect(await afterBody(demoted, put)).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(await s.ctx.db.select().from(s.ctx.tables.audienceMembers)).toEqual([])
  })

  test('adds no part to an import', async () => {
    const tokens = 'user_id,android_purchase_token,android_product_id\nada,token-1,pro\n'
    const { id, kind } = await i.make(tokens)
    expect(kind).toBe('ANDROID_TOKEN_ENRICHMENT')
    expect(await send('POST', `/imports/${id}/parts`, tokens, removed)).toEqual([404, 'NOT_FOUND'])
    expect([...i.blobs.held.keys()]).toHaveLength(1)
  })

  test('changes no list of an audience', async () => {
    const admin = i.team.as('ADMIN')
    const { id } = (await admin.post('/audiences', { name: 'List', rules: { kind: { $eq: 'x' } } })).body.data
    const put = (meanwhile: Meanwhile) => send('PUT', `/audiences/${id}/members`, 'ada\nben\n', meanwhile, 'text/plain')
    expect(await put(removed)).toEqual([404, 'NOT_FOUND'])
    expect(await put(demoted)).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(await s.ctx.db.select().from(s.ctx.tables.audienceMembers)).toEqual([])
    expect(await put(() => {})).toEqual([200, undefined])
  })
})

test('a list of ids takes nobody who is erased while it is on its way, and says how many it has', async () => {
  const admin = i.team.as('ADMIN')
  const { id } = (await admin.post('/audiences', { name: 'List', rules: { kind: { $eq: 'x' } } })).body.data
  await identify(s, 'svc_ada', 'ada')
  await identify(s, 'svc_bo', 'bo')
  const erased = async () => void (await erase(s, (await rowOf(s, 'svc_ada')).id))
  expect(await send('PUT', `/audiences/${id}/members`, 'ada\nben\nsvc_ada\nbo\n', erased, 'text/plain')).toEqual([
    ...[200, undefined],
  ])
  const { audienceMembers: m } = s.ctx.tables
  expect(await s.ctx.db.select({ size: m.size }).from(m)).toEqual([{ size: 2 }])
  expect((await admin.get(`/audiences/${id}`)).body.data.memberCount).toBe(2)
})
