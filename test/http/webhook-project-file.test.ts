// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { auditRows, changes, dataOf, refused } from '../support/operator'
import { writeEvents } from '../support/probe-kind'
import { type Receiver, startReceiver } from '../support/receiver'
import { listen, machineEnv, runWith } from '../support/remote-command'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let receiver: Receiver
beforeEach(async () => {
  receiver = startReceiver()
  s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  dev = staff(s).as('DEVELOPER')
})
afterEach(async () => {
  await s.close()
  await receiver.close()
})

const BACKEND = "backend: { url: 'https://8.8.8.8/svc', eventTypes: ['purchase.*', import.committed]"
const fileOf = (endpoints: string) => `version: 1\nwebhookEndpoints: ${endpoints}\n`
const apply = (endpoints: string, more: object = {}) =>
  dev.post('/project-file/apply', { file: fileOf(endpoints), ...more })
const plan = (endpoints: string, more: object = {}) =>
  dataOf(dev.post('/project-file/plan', { file: fileOf(endpoints), ...more }))
const applied = (endpoints: string, more: object = {}) => dataOf(apply(endpoints, more))
const rows = async () => {
  const found = await s.ctx.db.select().from(s.ctx.tables.webhookEndpoints)
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
const named = async (): Promise<unknown[]> => (await rows()).map(({ id, name }) => [id, name])
const exported = async () => (await dataOf(dev.get('/project-file'))).yaml as string
const sectionOf = (yaml: string) => /\nwebhookEndpoints:\n(?: .*\n)+/.exec(yaml)?.[0] ?? null

describe('endpoints in the project file', () => {
  test('are made with the documented defaults, and their secret is shown once', async () => {
    const data = await changes(s, () => apply(`{ ${BACKEND} } }`), ['webhookEndpoint.create'])
    const made = await rows()
    const [row] = made
    expect(data.secrets).toEqual([
      { kind: 'webhookEndpoint', ref: 'backend', secret: expect.stringMatching(/^whsec_.{43}=$/) },
    ])
    expect(row).toMatchObject({
      name: 'backend',
      environments: ['PRODUCTION', 'SANDBOX'],
      isOrdered: false,
      format: 'standard',
      isEnabled: true,
      secretLast4: data.secrets[0].secret.slice(-4),
    })
    const again = await changes(s, () => apply(`{ ${BACKEND} } }`), [])
    expect([again.lines, again.secrets, again.applied]).toEqual([['no changes'], [], false])
    expect(await rows()).toEqual(made)
    const texts = [await exported(), JSON.stringify(await auditRows(s)), JSON.stringify(await plan(`{ ${BACKEND} } }`))]
    for (const text of texts) expect(text).not.toContain(data.secrets[0].secret)
  })

  test('made by a file they get events, and a repeated Idempotency-Key shows the same secret', async () => {
    const file = fileOf(`{ local: { url: '${receiver.url}', eventTypes: ['*'] } }`)
    const once = { headers: { 'idempotency-key': 'apply-1' } }
    const first = await dev.post('/project-file/apply', { file }, once)
    const second = await dev.post('/project-file/apply', { file }, once)
    expect([first.status, second.body]).toEqual([200, first.body])
    const kept = await s.ctx.db.select().from(s.ctx.tables.idempotencyKeys)
    expect(JSON.stringify(kept)).not.toContain(first.body.data.secrets[0].secret)
    const { id } = (await s.get('/v1/me', 'ada')).body.data.subscriber
    await writeEvents(s.ctx, { id, projectId: s.project.id }, 1)
    await s.ctx.state.dispatcher.runDue()
    expect(receiver.received).toHaveLength(1)
    await applied('{}', { prune: true })
    await writeEvents(s.ctx, { id, projectId: s.project.id }, 1)
    await s.ctx.state.dispatcher.runDue()
    expect([receiver.received.length, await rows()]).toEqual([1, []])
  })

  test('are exported without default values, and applying the export changes nothing', async () => {
    expect(sectionOf(await exported())).toBeNull()
    const env = { AUTH: 'Bearer 4711' }
    const shown = "{ url: 'https://8.8.4.4/x', eventTypes: ['*'], environments: [SANDBOX], ordered: true"
    await applied(
      `{ ${BACKEND} }, old: ${shown}, format: revenuecat, authorization: "\${env:AUTH}", isEnabled: false } }`,
      {
        env,
      },
    )
    const yaml = await exported()
    expect(sectionOf(yaml)).toBe(`
webhookEndpoints:
  backend:
    url: https://8.8.8.8/svc
    eventTypes: [purchase.*, import.committed]
  old:
    url: https://8.8.4.4/x
    eventTypes: ["*"]
    environments: [SANDBOX]
    ordered: true
    format: revenuecat
    authorization: \${env:WEBHOOK_OLD_AUTHORIZATION}
    isEnabled: false
`)
    expect(yaml).not.toContain('4711')
    const before = await rows()
    const answer = await dataOf(dev.post('/project-file/apply', { file: yaml, prune: true }))
    expect(answer.applied).toBe(false)
    expect(answer.counts).toMatchObject({ create: 0, update: 0, delete: 0, keepSecret: 1 })
    expect(await rows()).toEqual(before)
  })

  test('lose members that the file leaves out, and an authorization shows as a word', async () => {
    const env = { AUTH: 'Bearer 4711' }
    const whole = `{ ${BACKEND}, ordered: true, isEnabled: false, authorization: "\${env:AUTH}" } }`
    await applied(whole, { env })
    const [before] = await rows()
    expect((await plan(whole, { env })).lines).toEqual(['no changes'])
    const rotated = await plan(whole, { env: { AUTH: 'Bearer 4712' } })
    expect(rotated.lines).toContain('    authorization: (saved) -> (new)')
    expect(JSON.stringify(rotated)).not.toMatch(/Bearer|471[12]/)
    const missing = await plan(whole)
    expect(missing.lines.join('\n')).toContain('AUTH is not set, saved value kept')
    s.ctx.clock.advance(MINUTE)
    await changes(s, () => apply(`{ ${BACKEND} } }`), ['webhookEndpoint.update'])
    const [after] = await rows()
    expect(after).toMatchObject({ isOrdered: false, isEnabled: true, sealedAuthorization: null })
    expect([after?.id, after?.sealedSecret]).toEqual([before?.id, before?.sealedSecret])
    expect(after?.enabledAt).toBe(s.ctx.clock.now())
  })

  test('are renamed by was, also in a chain, and are pruned only when asked', async () => {
    await applied(`{ ${BACKEND} }, other: { url: 'https://8.8.4.4/x', eventTypes: ['*'] } }`)
    const [backend, other] = await rows()
    await changes(s, () => apply(`{ ${BACKEND.replace('backend: {', 'main: { was: backend,')} } }`), [
      'webhookEndpoint.update',
    ])
    expect(await named()).toEqual([
      [backend?.id, 'main'],
      [other?.id, 'other'],
    ])
    const chain = `{ ${BACKEND.replace('backend: {', 'other: { was: main,')} }, third: { was: other, url: 'https://8.8.4.4/x', eventTypes: ['*'] } }`
    await changes(s, () => apply(chain), ['webhookEndpoint.update', 'webhookEndpoint.update'])
    expect(await named()).toEqual([
      [backend?.id, 'other'],
      [other?.id, 'third'],
    ])
    await changes(s, () => apply('{}'), [])
    await changes(s, () => apply('{}', { prune: true }), ['webhookEndpoint.delete', 'webhookEndpoint.delete'])
    expect(await rows()).toEqual([])
  })
})

describe('what a file is refused for', () => {
  const cases: [fact: string, endpoints: string, code: string, details: unknown][] = [
    [
      'an address',
      "{ a: { url: 'https://10.0.0.1/x', eventTypes: ['*'] } }",
      'WEBHOOK_URL_REJECTED',
      { reason: 'private_address' },
    ],
    [
      'a host',
      "{ a: { url: 'https://no-such-host.invalid/', eventTypes: ['*'] } }",
      'WEBHOOK_URL_REJECTED',
      { reason: 'unresolvable' },
    ],
    ['no address', "{ a: { eventTypes: ['*'] } }", 'VALIDATION_ERROR', null],
    ['no event types', "{ a: { url: 'https://8.8.8.8/' } }", 'VALIDATION_ERROR', null],
    ['empty event types', "{ a: { url: 'https://8.8.8.8/', eventTypes: [] } }", 'VALIDATION_ERROR', null],
    ['an unknown type', "{ a: { url: 'https://8.8.8.8/', eventTypes: [order.made] } }", 'VALIDATION_ERROR', null],
    ['an unknown environment', `{ ${BACKEND}, environments: [PROD] } }`, 'VALIDATION_ERROR', null],
    ['no environment', `{ ${BACKEND}, environments: [] } }`, 'VALIDATION_ERROR', null],
    ['an unknown format', `{ ${BACKEND}, format: other } }`, 'VALIDATION_ERROR', null],
    ['an authorization of two lines', `{ ${BACKEND}, authorization: "a\\nb" } }`, 'VALIDATION_ERROR', null],
    ['a secret of its own', `{ ${BACKEND}, secret: whsec_AAAA } }`, 'VALIDATION_ERROR', null],
    ['a name of two lines', `{ "a\\nb": { url: 'https://8.8.8.8/', eventTypes: ['*'] } }`, 'VALIDATION_ERROR', null],
  ]
  test.each(cases)('%s', async (_fact, endpoints, code, details) => {
    const { problems } = await plan(endpoints)
    expect(problems).toMatchObject([{ code, details }])
    await refused(s, () => apply(endpoints), 400, 'VALIDATION_ERROR')
    expect(await rows()).toEqual([])
  })

  test('the eleventh, also with those that stay', async () => {
    const many = (from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, at) => `e${from + at}: { url: 'https://8.8.8.8/', eventTypes: ['*'] }`,
      ).join(', ')
    await applied(`{ ${many(0, 8)} }`)
    const { problems } = await plan(`{ ${many(8, 11)} }`)
    expect(problems).toMatchObject([{ code: 'WEBHOOK_ENDPOINT_LIMIT', details: { limit: 10 } }])
    await refused(s, () => apply(`{ ${many(8, 11)} }`), 400, 'VALIDATION_ERROR')
    await applied(`{ ${many(8, 11)} }`, { prune: true })
    expect(await rows()).toHaveLength(3)
  })

  test('a deployment without a master key', async () => {
    const bare = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    const answer = await dataOf(
      staff(bare)
        .as('DEVELOPER')
        .post('/project-file/plan', { file: fileOf(`{ ${BACKEND} } }`) }),
    )
    const details = { feature: 'credential_encryption' }
    expect(answer.problems).toMatchObject([{ code: 'FEATURE_NOT_CONFIGURED', details }])
    await bare.close()
  })
})

describe('svc apply', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-webhook-file-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test.each(['on the machine', 'on a server'])('prints the secrets of new endpoints once, %s', async (place) => {
    const server = listen(s)
    const remote = { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('DEVELOPER') }
    const env = place === 'on a server' ? remote : machineEnv(s)
    const path = join(folder, 'svc.yaml')
    const run = (...more: string[]) => runWith(s, ['apply', '-f', path, '--project', 'project-1', ...more], { env })
    const secret = /whsec_[A-Za-z0-9+/]{43}=/
    writeFileSync(path, fileOf(`{ ${BACKEND} } }`))
    expect((await run('--check')).code).toBe(3)
    expect((await run('--dry-run')).out).not.toMatch(secret)
    const first = await run('--yes')
    expect([first.code, first.err]).toEqual([0, ''])
    expect(first.out).toMatch(/applied\nwebhookEndpoint backend signs with whsec_\S+ \(shown only now\)$/)
    expect((await run('--yes')).out).toBe('no changes')
    writeFileSync(path, fileOf(`{ second: { url: 'https://8.8.4.4/', eventTypes: ['*'] } }`))
    const { out } = await run('--yes', '--json')
    expect(JSON.parse(out)).toMatchObject({
      counts: { create: 1 },
      secrets: [{ kind: 'webhookEndpoint', ref: 'second', secret: expect.stringMatching(secret) }],
    })
    expect(JSON.parse((await run('--yes', '--json')).out)).not.toHaveProperty('secrets')
    await server.close()
  })
})
