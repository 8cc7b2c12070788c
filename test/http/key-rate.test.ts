import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { keyCommand } from '../../src/operators/projects/key-command'
import { createKey, revokeKey, updateKey } from '../../src/projects/project/service'
import { startServer } from '../../src/server'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { lastAudit, targetingRows } from '../support/targeting'

let s: Stage
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_KEY: '3' } })
})
afterAll(() => s.close())

const svcKey = (...args: string[]) => runBeside(s, keyCommand, ...args)

const makeKey = async (ratePerMinute: number | null = null) => {
  const { key, publicKey, secretKey } = await createKey(s.ctx, s.project.id, { label: 'test', ratePerMinute })
  return { id: key.id, publicKey: publicKey ?? '', secretKey: secretKey ?? '' }
}

/** How many of these calls are answered before the first 429, and the rate that the last answer names. */
async function allowed(key: string, calls = 8): Promise<[number, string | null]> {
  s.ctx.clock.advance(60_000)
  s.ctx.state.keys.forget(s.project.id) // As the server does within 2 s after a change by another process.
  for (let index = 0; ; index++) {
    const { status, headers } = await s.call('GET', '/v1/offerings', { key })
    if (status === 429 || index === calls) return [index, headers.get('x-ratelimit-limit')]
  }
}

describe('svc key update', () => {
  test('sets the rate of each half of a key', async () => {
    const key = await makeKey()
    expect(await allowed(key.publicKey)).toEqual([3, '3'])
    const { code, out } = await svcKey('update', key.id, '--rate', '5')
    expect([code, out]).toEqual([0, `${key.id}: each half may make 5 requests a minute.`])
    for (const half of [key.publicKey, key.secretKey]) expect(await allowed(half)).toEqual([5, '5'])
  })

  test('--rate 0 is no limit, and --rate default the rate of the server', async () => {
    const key = await makeKey(1)
    expect((await svcKey('update', key.id, '--rate', '0')).out).toBe(`${key.id}: no limit.`)
    expect(await allowed(key.publicKey)).toEqual([8, null])
    expect((await svcKey('update', key.id, '--rate', 'default')).out).toBe(
      `${key.id}: the rate of the server (SVC_RATE_KEY).`,
    )
    expect(await allowed(key.publicKey)).toEqual([3, '3'])
  })

  test('--json prints the key without its secret', async () => {
    const key = await makeKey()
    const { code, out } = await svcKey('update', key.id, '--rate', '7', '--json')
    expect([code, JSON.parse(out)]).toMatchObject([0, { id: key.id, publicKey: key.publicKey, ratePerMinute: 7 }])
    expect(out).not.toContain(key.secretKey)
    const listed = (await svcKey('list', '--project', 'project-1')).out
    expect(listed.split('\n').find((line) => line.startsWith(key.id))).toMatch(/ 7 /)
  })

  test('replaces the origins, empties them, and changes label and end', async () => {
    const key = await makeKey(2)
    const view = async (...args: string[]) => {
      const ran = await svcKey('update', key.id, ...args, '--json')
      expect([args, ran.code, ran.err]).toEqual([args, 0, ''])
      return JSON.parse(ran.out)
    }
    const two = ['--origin', 'https://app.example.com', '--origin', 'http://localhost:5173']
    expect(await view(...two)).toMatchObject({ allowedOrigins: ['https://app.example.com', 'http://localhost:5173'] })
    const one = await view('--origin', 'https://b.example.com', '--label', 'Pages')
    expect(one).toMatchObject({ allowedOrigins: ['https://b.example.com'], label: 'Pages', ratePerMinute: 2 })
    expect(await view('--origins', 'none')).toMatchObject({ allowedOrigins: [], label: 'Pages' })
    expect(await view('--origins', 'project')).toMatchObject({ allowedOrigins: null, label: 'Pages' })
    expect(await view('--expires', '2027-01-01T00:00:00Z')).toMatchObject({ expiresAt: '2027-01-01T00:00:00.000Z' })
    expect(await view('--expires', 'never')).toMatchObject({ expiresAt: null })
    const words = (await svcKey('update', key.id, '--origin', 'none', '--label', 'Web', '--expires', 'never')).out
    expect(words).toBe(`${key.id}: no page may use it; its label is Web; it never ends.`)
    expect((await svcKey('update', key.id, '--origins', 'project')).out).toBe(
      `${key.id}: the pages of the project may use it.`,
    )
  })

  test('writes one audit row, and none when nothing changes', async () => {
    const key = await makeKey(2)
    await svcKey('update', key.id, '--rate', '9')
    expect(await lastAudit(s)).toMatchObject([
      {
        action: 'apiKey.update',
        actor: { kind: 'CLI' },
        before: { id: key.id, ratePerMinute: 2 },
        after: { id: key.id, ratePerMinute: 9 },
      },
    ])
    const rows = await targetingRows(s)
    expect((await svcKey('update', key.id, '--rate', '9')).code).toBe(0)
    expect(await targetingRows(s)).toEqual(rows)
  })

  test('refuses what it cannot do, and changes nothing', async () => {
    const key = await makeKey(2)
    const revoked = await makeKey(2)
    await revokeKey(s.ctx, revoked.id)
    const rows = await targetingRows(s)
    const cases: [args: string[], code: number, err: RegExp][] = [
      [['update', key.id], 2, /key update needs --origin, --origins, --label, --expires or --rate/],
      [['update', key.id, '--origins', 'none', '--origin', 'https://a.example.com'], 2, /excludes --origin/],
      [['update', key.id, '--origins', 'all'], 2, /--origins takes none or project, not "all"/],
      [['update', key.id, '--origin', 'none', '--origin', 'https://a.example.com'], 2, /--origin none excludes/],
      [['update', key.id, '--origin', 'app.example.com/x'], 1, /An origin is scheme, host and optional port/],
      [['update', key.id, '--expires', 'soon'], 2, /--expires takes a time like/],
      [['update', key.id, '--expires', '2020-01-01T00:00:00Z'], 1, /in the future/],
      [['update', key.id, '--label', ' '], 1, /label/],
      [['update'], 2, /svc key list/],
      [['update', key.id, '--rate', '-1'], 2, /rate/],
      [['update', key.id, '--rate=-1'], 2, /--rate takes a whole number .* not "-1"/],
      [['update', key.id, '--rate', '1.5'], 2, /--rate takes a whole number .* not "1.5"/],
      [['update', key.id, '--rate', 'many'], 2, /--rate takes a whole number .* "default", not "many"/],
      [['update', key.id, '--rate', ''], 2, /--rate takes a whole number/],
      [['update', key.id, '--rate', '10000001'], 1, /--rate must be 0 to 10000000/],
      [
        ['update', 'key_00000000000000000000000000', '--rate', '5'],
        1,
        /There is no key key_00000000000000000000000000$/m,
      ],
      [['update', revoked.id, '--rate', '5'], 1, /The key is revoked; create another/],
    ]
    for (const [args, code, err] of cases) {
      const ran = await svcKey(...args)
      expect([args, ran.code, ran.out]).toEqual([args, code, ''])
      expect(ran.err).toMatch(err)
    }
    const failed = await svcKey('update', 'key_00000000000000000000000000', '--rate', '5', '--json')
    expect([failed.code, JSON.parse(failed.out).error.code]).toEqual([1, 'NOT_FOUND'])
    expect(await targetingRows(s)).toEqual(rows)
  })

  test('of another process holds on a running server within 2 s', async () => {
    const own = await stage({ env: { SVC_RATE_KEY: '0', SVC_PORT: '0', SVC_INTERNAL_PORT: '0' } })
    const server = await startServer(own.ctx)
    const headers = { authorization: `Bearer ${own.project.publicKey}` }
    const limitNow = async () =>
      (await fetch(`${server.url}/v1/offerings`, { headers })).headers.get('x-ratelimit-limit')
    expect(await limitNow()).toBeNull()
    await runBeside(own, keyCommand, 'update', own.project.keyId, '--rate', '1000000')
    while ((await limitNow()) === null) await Bun.sleep(20)
    expect(await limitNow()).toBe('1000000')
    await server.stop()
  })
})

test('a service changes the members that are given, for the dashboard', async () => {
  const key = await makeKey(2)
  const actor = { kind: 'USER', id: 'usr_1', email: 'ada@example.com' } as const
  expect((await updateKey(s.ctx, key.id, {}, { actor })).ratePerMinute).toBe(2)
  expect((await updateKey(s.ctx, key.id, { ratePerMinute: null }, { actor })).ratePerMinute).toBeNull()
  expect(await lastAudit(s)).toMatchObject([{ action: 'apiKey.update', actor }])
})
