import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MAX_BODY_BYTES, MAX_DEPTH } from '../../src/base/http/body'
import { BodyBudget } from '../../src/base/http/body-budget'
import { type Answer, type Stage, stage } from '../support/cast'

let s: Stage
beforeAll(async () => {
  s = await stage()
  await s.get('/v1/me', 'svc_ledger')
})
afterAll(() => s.close())

type Body = string | Uint8Array | ReadableStream<Uint8Array>

const JSON_TYPE = { 'content-type': 'application/json' }

/** Posts bytes to a lenient route. Each call is for another device. */
let count = 0
async function post(body: Body | null, headers: Record<string, string> = JSON_TYPE): Promise<Answer> {
  const all = {
    authorization: `Bearer ${s.project.publicKey}`,
    'x-svc-app-user-id': `svc_body_${++count}`,
    ...headers,
  }
  const request = new Request('http://localhost/v1/me/attributes', { method: 'POST', headers: all, body })
  const response = await s.app.handle(request)
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

const known = async () => (await s.ctx.db.select().from(s.ctx.tables.subscribers)).length

async function expectRefused(sent: () => Promise<Answer>, message: string | RegExp): Promise<void> {
  const before = await known()
  const { status, body } = await sent()
  expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
  if (typeof message === 'string') expect(body.error.message).toBe(message)
  else expect(body.error.message).toMatch(message)
  expect(Object.keys(body)).toEqual(['error'])
  expect(await known()).toBe(before)
}

/** A valid body of exactly this many bytes. */
const sized = (bytes: number): string => {
  const [head, tail] = ['{"attributes":{},"pad":"', '"}']
  return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`
}

const streamed = (text: string, partBytes = 65536): ReadableStream<Uint8Array> => {
  const bytes = Buffer.from(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + partBytes))
      at += partBytes
    },
  })
}

/** This many members with different short names. */
const members = (size: number, value: string): string =>
  Array.from({ length: size }, (_, index) => `"${index.toString(36)}":${value}`).join(',')

describe('the ceiling of 1 MiB', () => {
  const tooLarge = {
    error: { code: 'PAYLOAD_TOO_LARGE', message: `The body is over ${MAX_BODY_BYTES} bytes` },
  }

  test('is 1048576 bytes', () => expect(MAX_BODY_BYTES).toBe(1048576))

  test('a body of exactly the ceiling passes, declared or streamed', async () => {
    const text = sized(MAX_BODY_BYTES)
    expect((await post(text, { ...JSON_TYPE, 'content-length': String(text.length) })).status).toBe(200)
    expect((await post(streamed(text))).status).toBe(200)
  })

  test('one byte more is 413 in the envelope, declared or streamed', async () => {
    const text = sized(MAX_BODY_BYTES + 1)
    const before = await known()
    for (const answer of [
      await post(text, { ...JSON_TYPE, 'content-length': String(text.length) }),
      await post(streamed(text)),
      await post(streamed(text, 1_000_000)),
    ]) {
      expect([answer.status, answer.body]).toEqual([413, tooLarge])
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    }
    expect(await known()).toBe(before)
  })

  test('a stream without end is read up to the ceiling and no further', async () => {
    let given = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        given += 65536
        controller.enqueue(new Uint8Array(65536).fill(32))
      },
    })
    expect((await post(endless)).status).toBe(413)
    expect(given).toBeLessThan(2 * MAX_BODY_BYTES)
  })

  test('a body that does not arrive in time is refused, however little of it there is', async () => {
    for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'content-length': '100' }]) {
      const dripping = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from('{')) })
      const request = new Request('http://localhost/v1/identify', { method: 'POST', headers, body: dripping })
      const budget = new BodyBudget({ totalBytes: 100_000, patienceMs: 20 })
      await expect(budget.expect(request).read()).rejects.toThrow('The body did not arrive in time')
    }
  })

  test('is checked before the route, the method and the key', async () => {
    for (const [method, path] of [
      ['POST', '/v1/me/attributes'],
      ['GET', '/v1/me'],
      ['DELETE', '/v1/me'],
      ['POST', '/nowhere'],
    ] as const) {
      const answer = await s.call(method, path, { key: null, headers: { 'content-length': '1048577' } })
      expect([path, answer.status, answer.body]).toEqual([path, 413, tooLarge])
    }
  })

  test('a streamed body over it is not read, and so not refused, before the key is', async () =>
    expect((await post(streamed(sized(MAX_BODY_BYTES + 1)), { authorization: '' })).status).toBe(401))
})

describe('content type', () => {
  const good = '{"attributes":{}}'
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8";v=1',
    'APPLICATION/JSON',
    ' application/json ',
  ])
    test(`"${type}" is JSON`, async () => expect((await post(good, { 'content-type': type })).status).toBe(200))

  test('an absent type is read as JSON', async () => {
    expect((await post(Buffer.from(good), {})).status).toBe(200)
    expect((await post(streamed(good), {})).status).toBe(200)
    expect((await post(Buffer.from('{'), {})).status).toBe(400)
  })

  const wrong = 'Content-Type must be application/json'
  for (const type of [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/merge-patch+json',
    'application/octet-stream',
    'application/json, text/plain',
    'nonsense',
  ])
    test(`"${type}" is refused`, () => expectRefused(() => post(good, { 'content-type': type }), wrong))

  test('forms are refused as what they are', async () => {
    const form = 'attributes%5Bplan%5D=pro'
    await expectRefused(() => post(form, { 'content-type': 'application/x-www-form-urlencoded' }), wrong)
    const parts = '--x\r\nContent-Disposition: form-data; name="attributes"\r\n\r\n{}\r\n--x--\r\n'
    await expectRefused(() => post(parts, { 'content-type': 'multipart/form-data; boundary=x' }), wrong)
  })

  test('a content encoding is refused, compressed or not; identity is none', async () => {
    const wrapped = 'Content-Encoding is not supported; send the body as it is'
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'identity, gzip'])
      for (const body of [good, Bun.gzipSync(Buffer.from(good))])
        await expectRefused(() => post(body, { ...JSON_TYPE, 'content-encoding': encoding }), wrapped)
    expect((await post(good, { ...JSON_TYPE, 'content-encoding': 'identity' })).status).toBe(200)
  })
})

describe('what is no JSON object', () => {
  const broken = 'The body is not valid JSON'
  const notObject = 'The body must be a JSON object'
  const badText = 'Text must not hold NUL or unpaired surrogates'
  const notUtf8 = 'The body is not valid UTF-8'
  const cases: [name: string, body: string | Uint8Array, message: string][] = [
    ['half an object', '{"attributes":', broken],
    ['blanks alone', '   ', broken],
    ['two objects', '{"attributes":{}}{}', broken],
    ['a trailing comma', '{"attributes":{},}', broken],
    ['a comment', '{"attributes":{}/* none */}', broken],
    ['single quotes', "{'attributes':{}}", broken],
    ['NaN', '{"attributes":{},"x":NaN}', broken],
    ['a leading zero', '{"attributes":{},"x":01}', broken],
    ['a raw NUL', '{"attributes":{"a":"\0"}}', broken],
    ['a raw line feed in a string', '{"attributes":{"a":"x\ny"}}', broken],
    ['an array', '[{"attributes":{}}]', notObject],
    ['null', 'null', notObject],
    ['a number', '5', notObject],
    ['a string', '"attributes"', notObject],
    ['true', 'true', notObject],
    ['an escaped NUL', String.raw`{"attributes":{"a":"x\u0000y"}}`, badText],
    ['an escaped NUL in a name', String.raw`{"attributes":{"a\u0000":"x"}}`, badText],
    ['an escaped NUL in an ignored member', String.raw`{"attributes":{},"x":[{"y":["\u0000"]}]}`, badText],
    ['a lone high surrogate', String.raw`{"attributes":{"a":"\ud83d"}}`, badText],
    ['a lone low surrogate', String.raw`{"attributes":{"a":"\uDE00x"}}`, badText],
    ['surrogates the wrong way round', String.raw`{"attributes":{"a":"\ude00\ud83d"}}`, badText],
    [
      'a byte that no UTF-8 has',
      Buffer.concat([Buffer.from('{"attributes":{"a":"'), Buffer.from([0xff]), Buffer.from('"}}')]),
      notUtf8,
    ],
    [
      'an encoded surrogate',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
      notUtf8,
    ],
    [
      'an overlong slash',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
      notUtf8,
    ],
    ['a cut character', Buffer.concat([Buffer.from('{"attributes":{}}'), Buffer.from([0xe2, 0x82])]), notUtf8],
    ['UTF-16', Buffer.from('{"attributes":{}}', 'utf16le'), broken],
    ['UTF-16 with its mark', Buffer.from('\ufeff{"attributes":{}}', 'utf16le'), notUtf8],
  ]
  for (const [name, body, message] of cases) test(`${name} is 400`, () => expectRefused(() => post(body), message))

  test('no body counts as an empty object', () =>
    expectRefused(() => post(null), /^body\/attributes: Expected required property/))

  test('a mark of UTF-8 is read over, a surrogate pair is a character', async () => {
    expect((await post('\ufeff{"attributes":{}}')).status).toBe(200)
    const { body } = await post(String.raw`{"attributes":{"mood":"\ud83d\ude00"}}`)
    expect(body.data.subscriber.attributes).toEqual({ mood: '😀' })
  })
})

describe('depth', () => {
  const nested = (depth: number, open = '[', close = ']') =>
    `{"attributes":{},"x":${open.repeat(depth - 1)}${close.repeat(depth - 1)}}`
  const tooDeep = `The body is nested deeper than ${MAX_DEPTH} levels`

  test('of 64 levels passes', async () => {
    expect((await post(nested(64))).status).toBe(200)
    expect((await post(`{"attributes":{},"x":${'{"y":'.repeat(63)}1${'}'.repeat(63)}}`)).status).toBe(200)
  })

  for (const depth of [65, 1000, 100_000])
    test(`of ${depth} levels is refused`, () => expectRefused(() => post(nested(depth)), tooDeep))

  test('of brackets that never close is refused too', () =>
    expectRefused(() => post(`{"x":${'[{"x":'.repeat(100_000)}`), tooDeep))

  test('brackets in strings do not count', async () => {
    const brackets = String.raw`\"[{\\"`.replace(/"$/, '') + '['.repeat(1000)
    expect((await post(`{"attributes":{},"x":"${brackets}"}`)).status).toBe(200)
  })
})

describe('names', () => {
  test('that JavaScript knows are ordinary attributes and reach nothing else', async () => {
    const attributes = '{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d"}'
    const { status, body } = await post(`{"attributes":${attributes}}`)
    expect([status, JSON.stringify(body.data.subscriber.attributes)]).toEqual([200, attributes])
    const read = await s.get('/v1/me', `svc_body_${count}`)
    expect(Object.entries(read.body.data.subscriber.attributes).sort()).toEqual(
      Object.entries(JSON.parse(attributes)).sort(),
    )
  })

  test('do not stand for members through a prototype', async () => {
    await expectRefused(() => post('{"__proto__":{"attributes":{}}}'), /^body\/attributes: Expected required/)
    expect(Reflect.get({}, 'attributes')).toBeUndefined()
  })

  test('given twice: the last counts', async () => {
    const { body } = await post('{"attributes":{"a":"1"},"attributes":{"a":"2","a":"3"}}')
    expect(body.data.subscriber.attributes).toEqual({ a: '3' })
  })

  test('unknown ones are ignored by a lenient body', async () =>
    expect((await post('{"attributes":{},"unknown":{"deep":[1]},"":0}')).status).toBe(200))
})

describe('a strict body and its numbers', () => {
  const book = (members: string) =>
    s.post('/v1/virtual-currencies/svc_ledger/coins/transactions', undefined, {
      key: s.project.secretKey,
      raw: `{"idempotencyKey":"key ${++count}",${members}}`,
    })
  const balance = async () => (await s.get('/v1/virtual-currencies/me', 'svc_ledger')).body.data.balances.coins ?? 0

  async function expectUnbooked(members: string, message: RegExp): Promise<void> {
    const before = await balance()
    const { status, body } = await book(members)
    expect([members, status, body.error?.code]).toEqual([members, 400, 'VALIDATION_ERROR'])
    expect(body.error.message).toMatch(message)
    expect(await balance()).toBe(before)
  }

  test('refuse a member that they do not know, by its name', async () => {
    await expectUnbooked('"amount":1,"note":"x"', /^body\/note: /)
    await expectUnbooked('"amount":1,"__proto__":{}', /^body\/__proto__: /)
    await expectUnbooked('"amount":1,"constructor":1', /^body\/constructor: /)
    await expectUnbooked('"amount":1,"":1', /^body\/: /)
  })

  test('are not coerced', async () => {
    for (const amount of ['"5"', '"0x5"', 'true', 'null', '[5]', '{"valueOf":5}', '""'])
      await expectUnbooked(`"amount":${amount}`, /^body\/amount: Expected integer/)
    await expectUnbooked('"amount":1,"description":5', /^body\/description: Expected string/)
    await expectUnbooked('"amount":1,"description":null', /^body\/description: Expected string/)
  })

  test('must be whole and within 2^63 - 1', async () => {
    for (const amount of ['9223372036854775808', '-9223372036854775808', '1e400', '-1e400', '1e19'])
      await expectUnbooked(`"amount":${amount}`, /^body\/amount: Expected (an )?integer/)
    await expectUnbooked(`"amount":${'9'.repeat(400)}`, /^body\/amount: /)
    for (const amount of ['0.5', '1.000000001', '1e-1', '1e-400'])
      await expectUnbooked(`"amount":${amount}`, /^body\/amount: Expected (an )?integer/)
    for (const amount of ['0', '-0', '0.0', '0e5']) await expectUnbooked(`"amount":${amount}`, /other than 0/)
  })

  test('that are whole in any spelling count', async () => {
    const before = await balance()
    for (const amount of ['1', '1.0', '1e0', '10e-1']) expect((await book(`"amount":${amount}`)).status).toBe(200)
    expect(await balance()).toBe(before + 4)
  })

  test('with 100000 members are refused and tell fifty of them', async () => {
    const many = members(100_000, '1')
    const { status, body } = await book(`"amount":1,${many}`)
    expect(status).toBe(400)
    const told: string[] = body.error.message.split('; ')
    expect(told).toHaveLength(51)
    expect(told.at(-1)).toBe('and at least 14 more')
  })
})

describe('large values', () => {
  const ofKnown = { ...JSON_TYPE, 'x-svc-app-user-id': 'svc_ledger' }

  test('a string of a million characters is refused by its own limit', () =>
    expectRefused(
      () => post(`{"attributes":{"a":"${'x'.repeat(1_000_000)}"}}`, ofKnown),
      'a: must have at most 500 characters',
    ))

  test('an ignored array of 500000 numbers is read over', async () =>
    expect((await post(`{"attributes":{},"x":[${'1,'.repeat(500_000)}1]}`)).status).toBe(200))

  test('100000 attributes are refused without a trace', () =>
    expectRefused(() => post(`{"attributes":{${members(100_000, '""')}}}`, ofKnown), /at most 50 custom keys/))
})

describe('order', () => {
  const raw = '{"broken'

  test('a body that cannot be read is 401 without a key, 403 with the wrong kind, 400 with the right one', async () => {
    const path = '/v1/virtual-currencies/svc_ledger/coins/transactions'
    expect((await s.post(path, undefined, { raw, key: null })).body.error.code).toBe('BEARER_REQUIRED')
    expect((await s.post(path, undefined, { raw, key: 'nothing' })).body.error.code).toBe('INVALID_API_KEY_FORMAT')
    expect((await s.post(path, undefined, { raw })).body.error.code).toBe('FORBIDDEN')
    expect((await s.post(path, undefined, { raw, key: s.project.secretKey })).body.error.code).toBe('VALIDATION_ERROR')
  })

  test('a wrong content type is 401 without a key', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect((await s.post('/v1/identify', undefined, { raw: 'x', key: null, headers })).status).toBe(401)
    expect((await s.post('/v1/identify', undefined, { raw: 'x', headers })).status).toBe(400)
  })

  test('a body that breaks its schema is 401 without a key and 400 with one', async () => {
    const strange = { deviceKey: 5, appUserId: [] }
    expect((await s.post('/v1/identify', strange, { key: null })).status).toBe(401)
    expect((await s.post('/v1/identify', strange)).body.error.message).toMatch(/^body\/deviceKey: Expected string; /)
  })

  test('a body that an unknown path gets is not read', async () => {
    const answer = await s.post('/v1/nowhere', undefined, { raw })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
