// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadStoreSettings } from '../../src/projects/connections/credentials'
import { suspendProject } from '../../src/projects/project/service'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { allRows, lineOf, onlyPurchase } from '../support/actions'
import { access } from '../support/facts'
import { type PaymentStage, paymentStage, WEB_MONTHLY } from '../support/payment-sale'
import { listen, machineEnv, type RemoteServer, runWith } from '../support/remote-command'

let s: PaymentStage
let server: RemoteServer
let folder: string
beforeEach(async () => {
  s = await paymentStage()
  server = listen(s)
  folder = mkdtempSync(join(tmpdir(), 'svc-remote-'))
})
afterEach(async () => {
  await server.close()
  await s.close()
  rmSync(folder, { recursive: true, force: true })
})

const P = ['--project', 'project-1']
const LIST = ['flag', 'list', ...P]
const SECRET = 'svc_pat_VerySecretText'

function file(text: string, name = 'svc.yaml'): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const run = (args: string[], env: Record<string, string> = {}) =>
  runWith(s, args, { env: { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('OWNER'), ...env } })

/** What the endpoint answers to everything. */
async function fake(answer: (request: Request) => Response | Promise<Response>) {
  const heard: (string | null)[] = []
  const one = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      heard.push(request.headers.get('authorization'))
      return answer(request)
    },
  })
  return { url: `http://127.0.0.1:${one.port}`, heard, close: () => one.stop(true) }
}

describe('the address', () => {
  test.each([
    'http://svc.example.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'ftp://127.0.0.1',
    'svc.example.com',
    'https://user:password@svc.example.com',
    'https://svc.example.com/?a=1',
    'https://svc.example.com/#a',
    'nonsense',
  ])('%s is wrong usage', async (url) => {
    const { code, err, out } = await run([...LIST, '--url', url])
    expect([code, out]).toEqual([2, ''])
    expect(err).toStartWith('--url (SVC_URL) takes an address like https://svc.example.com; http only on this machine')
    expect((await run(LIST, { SVC_URL: url })).code).toBe(2)
    expect(server.heard).toEqual([])
  })

  test('that is empty is wrong usage as an option, and absent as a variable', async () => {
    expect((await run([...LIST, '--url', ''])).code).toBe(2)
    expect((await run(LIST, { ...machineEnv(s), SVC_URL: ' ' })).code).toBe(0)
    expect(server.heard).toEqual([])
  })

  test('may have a slash at its end', async () => {
    expect((await run([...LIST, '--url', `${server.url}/`])).code).toBe(0)
    expect(server.heard.map(({ path }) => path)).toEqual([
      '/dashboard/projects',
      `/dashboard/projects/${s.project.id}/feature-flags`,
    ])
  })

  test('excludes a folder; a folder is meant when it is named beside SVC_URL', async () => {
    expect((await run([...LIST, '--url', server.url, '--data', folder])).code).toBe(2)
    const { dataDir } = s.ctx.config
    expect((await run([...LIST, '--data', dataDir], machineEnv(s))).code).toBe(0)
    expect(server.heard).toEqual([])
  })

  test('in SVC_URL refuses a command that only this machine can do, and a folder that is named wins', async () => {
    const { dataDir } = s.ctx.config
    const before = await allRows(s)
    const locals = [
      ['project', 'list'],
      ['simulate', 'billing', 'status'],
      ['doctor'],
      ['migrate'],
      ['backup', join(folder, 'b.gz')],
    ]
    locals.push(
      ['restore', join(folder, 'b.gz')],
      ['export-data', '--to', folder, '--project', 'project-1'],
      ['user', 'list'],
    )
    for (const args of locals) {
      const { code, out, err } = await run(args, machineEnv(s))
      expect([args, code, out]).toEqual([args, 2, ''])
      expect(err).toContain('SVC_URL names a server: add --data DIR, or unset SVC_URL')
    }
    expect(readdirSync(folder)).toEqual([])
    expect(await allRows(s)).toEqual(before)
    expect(server.heard).toEqual([])
    expect((await run(['project', 'list', '--data', dataDir], machineEnv(s))).code).toBe(0)
    expect((await run(['schema'])).code).toBe(0)
  })

  test('that is absent means this machine', async () => {
    const { code } = await runWith(s, LIST, { env: { ...machineEnv(s), SVC_TOKEN: SECRET } })
    expect(code).toBe(0)
    expect(server.heard).toEqual([])
  })
})

describe('the token', () => {
  test('is needed, and belongs to an address', async () => {
    expect((await run(LIST, { SVC_TOKEN: '' })).code).toBe(2)
    expect((await runWith(s, [...LIST, '--token', SECRET], { env: machineEnv(s) })).code).toBe(2)
    expect(server.heard).toEqual([])
  })

  test('of the option wins over that of the environment', async () => {
    const token = server.tokenOf('GROWTH')
    expect((await run([...LIST, '--token', token], { SVC_TOKEN: SECRET })).code).toBe(0)
    expect(server.heard.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`, `Bearer ${token}`])
  })

  test.each(['svc_sec_abc', 'svc_pat_', 'svc_pat_a b', 'svc_pat_a\n', `svc_pat_${'a'.repeat(300)}`])(
    'of another form is never sent nor printed',
    async (token) => {
      const { code, out, err } = await run([...LIST, '--json', '--token', token])
      expect(code).toBe(2)
      expect(server.heard).toEqual([])
      expect(token.length > 8 && `${out}${err}`.includes(token)).toBe(false)
    },
  )

  test('that the server does not accept is one sentence, without the token', async () => {
    const { code, out, err } = await run([...LIST, '--json'], { SVC_TOKEN: SECRET })
    expect([code, err]).toEqual([1, `${server.url} does not accept the token; make a new one in your account there.`])
    expect(JSON.parse(out).error.code).toBe('UNAUTHORIZED')
    expect(out + err).not.toContain(SECRET)
  })

  test('is not carried to another address', async () => {
    const other = await fake(() => Response.json({ data: { items: [], nextCursor: null } }))
    const first = await fake(
      () => new Response(null, { status: 302, headers: { location: `${other.url}/dashboard/projects` } }),
    )
    const { code, err } = await run(LIST, { SVC_URL: first.url, SVC_TOKEN: SECRET })
    expect(code).toBe(1)
    expect(err).toBe(`${first.url} redirects to another address and not as this version of svc does; check --url.`)
    expect([first.heard, other.heard]).toEqual([[`Bearer ${SECRET}`], []])
    await first.close()
    await other.close()
  })
})

describe('a server that is none', () => {
  test('nobody listens', async () => {
    const gone = await fake(() => new Response())
    await gone.close()
    const { code, err, out } = await run([...LIST, '--json'], { SVC_URL: gone.url })
    expect(code).toBe(1)
    expect(err).toStartWith(`${gone.url} does not answer (`)
    expect(err).toEndWith('); check --url and the network.')
    expect(err).not.toContain('\n')
    expect(JSON.parse(out).error.code).toBe('HTTP_ERROR')
  })

  test.each<[name: string, response: () => Response]>([
    ['a page', () => new Response('<html>Hello</html>', { headers: { 'content-type': 'text/html' } })],
    ['nothing', () => new Response(null, { status: 204 })],
    ['another JSON', () => Response.json({ projects: [] })],
    ['a list', () => Response.json([])],
    ['null', () => Response.json(null)],
    ['data of another form', () => Response.json({ data: { items: [{ id: 5 }], nextCursor: null } })],
    ['an error of another form', () => Response.json({ error: 'no' }, { status: 400 })],
    ['a page of a proxy', () => new Response('Bad gateway', { status: 502 })],
  ])('it answers with %s', async (_name, response) => {
    const other = await fake(response)
    const { code, err } = await run(LIST, { SVC_URL: other.url })
    expect(code).toBe(1)
    expect(err).toStartWith(`${other.url} answers with status `)
    expect(err).not.toContain('\n')
    await other.close()
  })

  test('a code that this version does not know is told as it is', async () => {
    const error = { code: 'NEWER_CODE', message: 'That is new' }
    const other = await fake(() => Response.json({ error }, { status: 409 }))
    const { code, err } = await run(LIST, { SVC_URL: other.url })
    expect([code, err]).toEqual([1, 'That is new (NEWER_CODE)'])
    await other.close()
  })

  test('it breaks off in the middle of a change: what was asked may have been done', async () => {
    const list = JSON.stringify({ data: { items: [{ id: s.project.id, slug: 'project-1' }], nextCursor: null } })
    const head = (length: number) => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`
    const other = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: {
        data(socket, bytes) {
          socket.end(bytes.toString().startsWith('GET') ? head(list.length) + list : `${head(100)}{"data":`)
        },
      },
    })
    const url = `http://127.0.0.1:${other.port}`
    const { code, err } = await run(['grant', '--subscriber', 'a', '--access', 'pro', ...P], { SVC_URL: url })
    expect(code).toBe(1)
    expect(err).toStartWith(`${url} does not answer (`)
    expect(err).toEndWith('What was asked may have been done; look before you repeat it.')
    other.stop(true)
  })
})

describe('refusals of the server', () => {
  test('that the person lacks a capability', async () => {
    const env = { SVC_TOKEN: server.tokenOf('GROWTH') }
    const { code, err, out } = await run(['grant', '--subscriber', 'svc_ada', '--access', 'pro', ...P, '--json'], env)
    expect([code, err]).toEqual([1, 'Your role in this project lacks the capability for that'])
    expect(JSON.parse(out).error).toMatchObject({
      code: 'CAPABILITY_REQUIRED',
      details: { role: 'GROWTH', capability: 'subscribers:write' },
    })
  })

  test('that the project is not theirs', async () => {
    const { code, err } = await run(['flag', 'list', '--project', 'project-2'])
    expect([code, err]).toEqual([1, 'There is no project "project-2" that this token can see.'])
    expect((await run(['flag', 'list'])).code).toBe(0)
    expect((await run(['flag', 'list'], { SVC_TOKEN: server.tokenOf('STRANGER') })).code).toBe(1)
    server.team.sessions.roles.set(`usr_owner ${s.other.id}`, 'GROWTH')
    expect((await run(['flag', 'list'])).code).toBe(2)
    expect((await run(['flag', 'list', '--project', s.other.id])).code).toBe(0)
  })

  test('that the project is suspended', async () => {
    await suspendProject(s.ctx, s.project.id)
    const { code, out } = await run([...LIST, '--json'])
    expect([code, JSON.parse(out).error.code]).toEqual([1, 'PROJECT_SUSPENDED'])
  })
})

describe('a refund on a server', () => {
  beforeEach(async () => {
    subscribe(s.world, { priceId: WEB_MONTHLY })
    await s.deliverAll()
  })

  test('asks with the amount and the effect, and changes nothing when the answer is no', async () => {
    const { id } = await onlyPurchase(s)
    const { storeTransactionId } = await lineOf(s, 'INITIAL')
    const question = `Refund 9.99 USD of ${id} (PAYMENT ${storeTransactionId}); the access ends?`
    const before = await allRows(s)
    for (const env of [{ SVC_URL: server.url, SVC_TOKEN: server.tokenOf('OWNER') }, machineEnv(s)]) {
      const terminal = { answer: false, asked: [] }
      const { code, err } = await runWith(s, ['refund', id, ...P], { env, terminal })
      expect([code, err, terminal.asked]).toEqual([1, 'Nothing was refunded.', [question]] as never)
    }
    expect(await allRows(s)).toEqual(before)
    expect(s.world.refunds.size).toBe(0)
  })

  test('gives the money back, in the name of the person', async () => {
    const { id } = await onlyPurchase(s)
    const { code, out } = await run(['refund', id, ...P, '--yes', '--reason', 'twice'])
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`purchase +${id} is REFUNDED\ntransaction +txn_\\w+\nrefunded +9.99 USD`))
    expect(await access(s, 'svc_ada')).toEqual({})
    const [row] = await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
    expect(row).toMatchObject({ actor: { kind: 'USER', id: 'usr_owner' }, after: { reason: 'twice' } })
    const again = await run(['refund', id, ...P, '--yes', '--json'])
    expect([again.code, JSON.parse(again.out).error.code]).toEqual([1, 'REFUND_NOT_POSSIBLE'])
    expect(s.world.refunds.size).toBe(1)
  })

  test('changes nothing while the provider is down', async () => {
    const { id } = await onlyPurchase(s)
    s.server.faults = { ...NO_FAULTS, status: 500 }
    const before = await allRows(s)
    const { code, out } = await run(['refund', id, ...P, '--yes', '--json'])
    expect([code, JSON.parse(out).error.code]).toEqual([1, 'STORE_API_ERROR'])
    expect(await allRows(s)).toEqual(before)
  })
})

describe('apply on a server', () => {
  const NEW = 'version: 1\naccess: { vip: { displayName: V } }\n'
  const names = async () => (await s.ctx.db.select().from(s.ctx.tables.access)).map(({ identifier }) => identifier)

  test('asks on a terminal, and writes in the name of the person', async () => {
    const args = ['apply', '-f', file(NEW), ...P]
    const env = { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('DEVELOPER') }
    const no = { answer: false, asked: [] as string[] }
    const refused = await runWith(s, args, { env, terminal: no })
    expect([refused.code, refused.err, no.asked]).toEqual([1, 'Nothing was applied.', ['Apply?']])
    expect(await names()).not.toContain('vip')
    expect((await runWith(s, args, { env, terminal: { answer: true, asked: [] } })).code).toBe(0)
    expect(await names()).toContain('vip')
    const rows = await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
    const actor = { kind: 'USER', id: 'usr_developer' }
    expect(rows).toMatchObject([
      { actor, action: 'projectFile.apply' },
      { actor, action: 'access.create' },
    ])
    expect((await run(args.concat('--yes'))).out).toBe('no changes')
  })

  test('reads placeholders on the machine of the caller, and never on the server', async () => {
    const stores =
      'version: 1\nstores: { payment: { mode: test, secretKey: "${env:PATH}", webhookSecret: "${file:./hook.txt}" } }'
    const args = ['apply', '-f', file(stores), ...P]
    const missing = await run([...args, '--dry-run'])
    expect(missing.out).toContain('PATH is not set')
    expect(missing.out).toContain('./hook.txt cannot be read')
    file('whsec_mine', 'hook.txt')
    const { code, out } = await run([...args, '--yes'], { PATH: 'sk_test_mine' })
    expect(code).toBe(0)
    expect(out).not.toContain('_mine')
    const settings = (await loadStoreSettings(s.ctx, s.ctx.vault, s.project.id)).get('payment')
    expect(settings?.secrets).toEqual({ secretKey: 'sk_test_mine', webhookSecret: 'whsec_mine' })
    const audit = JSON.stringify(
      await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position),
    )
    expect(audit).not.toContain('_mine')
  })

  test('sends only the variables that the file names', async () => {
    let sent = ''
    const other = await fake(async (request) => {
      if (request.method === 'GET')
        return Response.json({ data: { items: [{ id: s.project.id, slug: 'project-1' }], nextCursor: null } })
      sent = await request.text()
      return Response.json({ error: { code: 'CONFLICT', message: 'Not now' } }, { status: 409 })
    })
    const env = { SVC_URL: other.url, OTHER_SECRET: 'hidden_text' }
    expect((await run(['apply', '-f', file(NEW), ...P, '--yes'], env)).err).toBe('Not now')
    expect(JSON.parse(sent)).toEqual({ file: NEW, env: {}, files: {}, prune: false })
    await other.close()
  })
})
