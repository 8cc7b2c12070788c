import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { slice } from '../../src/base/slice'
import { checkDue, freedRetention } from '../../src/funnels/domains/jobs'
import { verifiedHostnames } from '../../src/funnels/domains/service'
import { SLICES } from '../../src/slices'
import { type Stage, stage } from '../support/cast'
import { DnsStandIn } from '../support/dns'
import { auditRows, changes, dataOf, ifMatch, refused } from '../support/operator'
import { type Staff, type StaffCalls, staff, staffId } from '../support/staff'

let s: Stage
let dns: DnsStandIn
let people: Staff
let dev: StaffCalls
let other: (method: string, path: string, body?: unknown) => ReturnType<StaffCalls['call']>

/** The owner of a project, who gets its notices. */
const ownerOf = (projectId: string) =>
  s.ctx.write(async ({ db, tables, ids }) => {
    const [userId, email] = [`usr_${projectId}`, `${projectId}@example.com`]
    const times = { createdAt: 1, updatedAt: 1 }
    await db
      .insert(tables.users)
      .values({ id: userId, email, emailKey: email, emailVerifiedAt: 1, name: 'Ada', ...times })
    await db.insert(tables.memberships).values({ id: ids.next('mbr'), projectId, userId, role: 'OWNER', ...times })
  })

beforeAll(async () => {
  dns = await DnsStandIn.start()
  s = await stage({
    env: {
      PUBLIC_BASE_URL: 'https://svc.example.com',
      SVC_DNS: dns.address,
      SVC_PUBLIC_IPS: '198.51.100.7',
      SVC_RESERVED_HOSTS: 'pages.example',
    },
  })
  await Promise.all([s.project.id, s.other.id].map(ownerOf))
  people = staff(s)
  dev = people.as('DEVELOPER')
  people.sessions.roles.set(`${staffId('OWNER')} ${s.other.id}`, 'OWNER')
  other = (method, path, body) => people.as('OWNER').call(method, path, body, { projectId: s.other.id })
})
beforeEach(() => dns.names.clear())
afterAll(async () => {
  await s.close()
  dns.close()
})

let count = 0
const freshName = () => `quiz${++count}.example.com`

const add = (hostname: string, more: object = {}) =>
  changes(s, () => dev.post('/custom-domains', { hostname, ...more }), ['customDomain.create'], 201)

/** Sets both records as the customer would. */
const setRecords = ({ hostname, verification }: { hostname: string; verification: { value: string } }) => {
  dns.names.set(`_svc.${hostname}`, { TXT: ['unrelated', verification.value] })
  dns.names.set(hostname, { CNAME: ['svc.example.com'] })
}

const read = (id: string) => dataOf(dev.get(`/custom-domains/${id}`))

/** Moves the clock to the next check of a domain, and runs what is due. */
async function nextCheck(id: string) {
  const { nextCheckAt } = await read(id)
  s.ctx.clock.set(Date.parse(nextCheckAt))
  await checkDue(s.ctx)
  return read(id)
}

async function addVerified(hostname = freshName()) {
  const added = await add(hostname)
  setRecords(added)
  const verified = await nextCheck(added.id)
  expect(verified.status).toBe('VERIFIED')
  return verified
}

describe('a new domain', () => {
  test('waits for its two records, in both forms of its name', async () => {
    const domain = await add('Müsli.Example.com.')
    expect(domain).toMatchObject({
      ...{ hostname: 'xn--msli-0ra.example.com', unicodeHostname: 'müsli.example.com', status: 'PENDING' },
      verification: { type: 'TXT', name: '_svc.xn--msli-0ra.example.com', seen: [], ok: false },
      dns: { type: 'CNAME', name: 'xn--msli-0ra.example.com', value: 'svc.example.com', seen: [], ok: false },
      certificate: { status: 'PENDING', error: null },
      ...{ wallets: null, rootFunnelId: null, redirectTo: null, checkedAt: null, revision: 1 },
    })
    expect(domain.verification.value).toMatch(/^svc-verify=[0-9A-Za-z]{32}$/)
    expect(Date.parse(domain.nextCheckAt) - s.ctx.clock.now()).toBe(MINUTE)
    expect(await read(domain.id)).toEqual(domain)
    expect((await dataOf(people.as('CUSTOMER_SUPPORT').get('/custom-domains'))).items).toEqual([domain])
  })

  const refusals: [hostname: string, reason: string][] = [
    ['', 'VALIDATION_ERROR'],
    ['https://quiz.example.com', 'hostname_invalid'],
    ['quiz.example.com:443', 'hostname_invalid'],
    ['203.0.113.4', 'hostname_invalid'],
    ['*.example.com', 'hostname_invalid'],
    ['quiz', 'hostname_invalid'],
    ['svc.example.com', 'hostname_reserved'],
    ['a.pages.example', 'hostname_reserved'],
    ['app.localhost', 'hostname_reserved'],
  ]
  for (const [hostname, reason] of refusals)
    test(`is refused as ${hostname || 'nothing'}`, async () => {
      const code = reason === 'VALIDATION_ERROR' ? reason : 'HOSTNAME_INVALID'
      const details = await refused(s, () => dev.post('/custom-domains', { hostname }), 400, code)
      if (code === 'HOSTNAME_INVALID') expect(details).toEqual({ hostname, reason })
    })

  test('is refused when any project holds the name, and says nothing of that project', async () => {
    const { hostname } = await addVerified()
    await refused(s, () => dev.post('/custom-domains', { hostname: hostname.toUpperCase() }), 409, 'HOSTNAME_TAKEN')
    const answer = await other('POST', '/custom-domains', { hostname })
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'HOSTNAME_TAKEN' } } })
    expect(JSON.stringify(answer.body)).not.toContain(s.project.id)
  })

  test('is refused when the project has the name already, also twice at once', async () => {
    const hostname = freshName()
    const answers = await Promise.all([1, 2].map(() => dev.post('/custom-domains', { hostname })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('is refused with a root that is no published funnel of the project, or two roots', async () => {
    const hostname = freshName()
    await refused(s, () => dev.post('/custom-domains', { hostname, rootFunnelId: 'fnl_x' }), 400, 'ROOT_FUNNEL_INVALID')
    for (const redirectTo of ['http://www.example.com', 'javascript:alert(1)', `https://${hostname}/a`])
      await refused(s, () => dev.post('/custom-domains', { hostname, redirectTo }), 400, 'VALIDATION_ERROR')
    expect(await verifiedHostnames(s.ctx)).not.toContain(hostname)
  })
})

test('a project has no more domains than its plan allows', async () => {
  const plan = slice({
    name: 'plan',
    mostCustomDomains: async (_tx, projectId) => (projectId === s.project.id ? 1 : null),
  })
  const limited = await stage({ slices: [...SLICES, plan] })
  try {
    const calls = staff(limited).as('DEVELOPER')
    await dataOf(calls.post('/custom-domains', { hostname: 'one.example.com' }))
    const want = () => calls.post('/custom-domains', { hostname: 'two.example.com' })
    await refused(limited, want, 409, 'CUSTOM_DOMAIN_LIMIT_REACHED')
  } finally {
    await limited.close()
  }
})

describe('a change', () => {
  test('needs the revision, and writes nothing when it changes nothing', async () => {
    const { id } = await add(freshName())
    const path = `/custom-domains/${id}`
    await refused(s, () => dev.patch(path, { redirectTo: 'https://a.example/' }, ifMatch(7)), 409, 'CONFLICT')
    await refused(s, () => dev.patch(path, { rootFunnelId: 'fnl_x' }), 400, 'ROOT_FUNNEL_INVALID')
    await refused(s, () => dev.patch(path, { hostname: 'b.example.com' }), 400, 'VALIDATION_ERROR')
    const change = { redirectTo: 'https://www.example.com/start' }
    const changed = await changes(s, () => dev.patch(path, change, ifMatch(1)), ['customDomain.update'])
    expect(changed).toMatchObject({ ...change, revision: 2 })
    expect(await changes(s, () => dev.patch(path, change), [])).toEqual(changed)
  })

  test('of a domain of another project is 404, as of none', async () => {
    const { id } = await add(freshName())
    const answers = await Promise.all([
      other('GET', `/custom-domains/${id}`),
      other('PATCH', `/custom-domains/${id}`, { redirectTo: null }),
      other('DELETE', `/custom-domains/${id}`),
      other('POST', `/custom-domains/${id}/verify`, {}),
      dev.get('/custom-domains/dom_x'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await read(id)).status).toBe('PENDING')
  })
})

describe('a check', () => {
  test('verifies by the TXT record alone, and says what it saw', async () => {
    const added = await add(freshName())
    dns.names.set(`_svc.${added.hostname}`, { TXT: [added.verification.value] })
    dns.names.set(added.hostname, { A: ['203.0.113.9'] })
    const before = (await auditRows(s)).length
    const domain = await nextCheck(added.id)
    expect(domain).toMatchObject({
      status: 'VERIFIED',
      verification: { ok: true, seen: [added.verification.value] },
      dns: { type: 'CNAME', seen: ['A 203.0.113.9'], ok: false },
      certificate: { status: 'PENDING', error: null },
    })
    expect((await auditRows(s)).slice(before)).toMatchObject([
      { action: 'customDomain.check', actor: { kind: 'SERVER' }, after: { status: 'VERIFIED' } },
    ])
    expect(await verifiedHostnames(s.ctx)).toContain(domain.hostname)
  })

  test('tells the apex of a zone its address in place of an alias', async () => {
    const added = await add(freshName())
    dns.names.set(added.hostname, { SOA: ['ns.example.com'], A: ['198.51.100.7'] })
    expect((await nextCheck(added.id)).dns).toMatchObject({ type: 'A', value: '198.51.100.7', ok: true })
  })

  for (const [name, texts] of [
    ['another token', ['svc-verify=00000000000000000000000000000000']],
    ['only the beginning of the token', ['svc-verify=']],
    ['nothing', []],
  ] as const)
    test(`with ${name} leaves it pending, without an audit row`, async () => {
      const added = await add(freshName())
      if (texts.length > 0) dns.names.set(`_svc.${added.hostname}`, { TXT: texts })
      const before = (await auditRows(s)).length
      expect(await nextCheck(added.id)).toMatchObject({ status: 'PENDING', verification: { ok: false } })
      expect((await auditRows(s)).length).toBe(before)
      expect(await verifiedHostnames(s.ctx)).not.toContain(added.hostname)
    })

  test('does not take the token of another domain', async () => {
    const [one, two] = [await add(freshName()), await add(freshName())]
    dns.names.set(`_svc.${one.hostname}`, { TXT: [two.verification.value] })
    expect((await nextCheck(one.id)).status).toBe('PENDING')
  })

  test('takes records with any bytes, and shows them as text', async () => {
    const added = await add(freshName())
    dns.names.set(`_svc.${added.hostname}`, { TXT: ['a\0b\u0001', added.verification.value] })
    dns.names.set(added.hostname, { CNAME: ['x\0y.example.com'] })
    const domain = await nextCheck(added.id)
    expect(domain).toMatchObject({ status: 'VERIFIED', checkedAt: expect.any(String) })
    expect(JSON.stringify(domain)).not.toContain('\\u0000')
    expect(domain.verification.seen).toContain('a\uFFFDb\uFFFD')
  })

  test('fails a name after 72 hours, checks it no more, and begins anew when a person asks', async () => {
    const added = await add(freshName())
    s.ctx.clock.advance(72 * HOUR)
    await checkDue(s.ctx)
    expect(await read(added.id)).toMatchObject({ status: 'FAILED', failure: 'NOT_PROVED', nextCheckAt: null })
    setRecords(added)
    const asked = dns.asked.length
    s.ctx.clock.advance(30 * DAY)
    await checkDue(s.ctx)
    expect(dns.asked.slice(asked).filter((one) => one.includes(added.hostname))).toEqual([])
    expect((await read(added.id)).status).toBe('FAILED')
    dns.names.clear()
    const verify = () => dev.post(`/custom-domains/${added.id}/verify`)
    expect(await changes(s, verify, ['customDomain.verify'])).toMatchObject({ status: 'PENDING' })
    setRecords(added)
    expect(await changes(s, verify, ['customDomain.verify'])).toMatchObject({ status: 'VERIFIED' })
  })

  test('by a person is refused at the seventh time in a minute', async () => {
    const { id } = await add(freshName())
    for (let time = 0; time < 6; time++) await dataOf(dev.post(`/custom-domains/${id}/verify`))
    await refused(s, () => dev.post(`/custom-domains/${id}/verify`), 429, 'RATE_LIMITED')
  })

  test('of a verified name goes on for 7 days without the record, and not at all while no name server answers', async () => {
    const { id, hostname, verification } = await addVerified()
    dns.names.set(`_svc.${hostname}`, 'SERVFAIL')
    s.ctx.clock.advance(10 * DAY)
    await checkDue(s.ctx)
    expect(await read(id)).toMatchObject({ status: 'VERIFIED', missingSince: null })
    dns.names.delete(`_svc.${hostname}`)
    expect(await nextCheck(id)).toMatchObject({ status: 'VERIFIED', verification: { seen: [], ok: false } })
    s.ctx.clock.advance(6 * DAY)
    await checkDue(s.ctx)
    expect((await read(id)).missingSince).not.toBeNull()
    dns.names.set(`_svc.${hostname}`, { TXT: [verification.value] })
    expect(await nextCheck(id)).toMatchObject({ status: 'VERIFIED', missingSince: null })
    dns.names.delete(`_svc.${hostname}`)
    await nextCheck(id)
    s.ctx.clock.advance(7 * DAY)
    await checkDue(s.ctx)
    expect(await read(id)).toMatchObject({ status: 'PENDING', missingSince: null })
    expect(await verifiedHostnames(s.ctx)).not.toContain(hostname)
  })
})

describe('a name that two projects claim', () => {
  const readOther = async (id: string) => (await other('GET', `/custom-domains/${id}`)).body.data
  const claimedTwice = async () => {
    const hostname = freshName()
    const squatted = await add(hostname)
    return { hostname, squatted, owned: await dataOf(other('POST', '/custom-domains', { hostname })) }
  }
  const prove = (hostname: string, ...domains: { verification: { value: string } }[]) =>
    dns.names.set(`_svc.${hostname}`, { TXT: domains.map(({ verification }) => verification.value) })

  test('goes to the one that proves it, and the other fails and learns why', async () => {
    const { hostname, squatted, owned } = await claimedTwice()
    expect(owned.verification.value).not.toBe(squatted.verification.value)
    prove(hostname, owned)
    const verified = await dataOf(other('POST', `/custom-domains/${owned.id}/verify`))
    expect(verified).toMatchObject({ status: 'VERIFIED', failure: null })
    await checkDue(s.ctx)
    const held = await read(squatted.id)
    expect(held).toMatchObject({ status: 'FAILED', failure: 'HELD', nextCheckAt: null, wallets: null })
    expect(JSON.stringify(held)).not.toContain(s.other.id)
    expect((await auditRows(s)).at(-1)).toMatchObject({ action: 'customDomain.check', after: { status: 'FAILED' } })
    expect(await verifiedHostnames(s.ctx)).toContain(hostname)
  })

  test('is the one of its holder even where both records are shown, until the holder gives it up', async () => {
    const { hostname, squatted, owned } = await claimedTwice()
    prove(hostname, squatted, owned)
    await dataOf(other('POST', `/custom-domains/${owned.id}/verify`))
    const verify = () => dataOf(dev.post(`/custom-domains/${squatted.id}/verify`))
    expect(await verify()).toMatchObject({ status: 'FAILED', failure: 'HELD' })
    expect((await readOther(owned.id)).status).toBe('VERIFIED')
    await dataOf(other('DELETE', `/custom-domains/${owned.id}`))
    expect(await verify()).toMatchObject({ status: 'VERIFIED', failure: null })
  })

  test('is verified for one when both prove it at once', async () => {
    const { hostname, squatted, owned } = await claimedTwice()
    prove(hostname, squatted, owned)
    const both = await Promise.all([
      dev.post(`/custom-domains/${squatted.id}/verify`),
      other('POST', `/custom-domains/${owned.id}/verify`),
    ])
    expect(both.map(({ status, body }) => [status, body.data.status]).sort()).toEqual([
      [200, 'FAILED'],
      [200, 'VERIFIED'],
    ])
  })

  test('is not kept for the one that gives it up without a proof', async () => {
    const hostname = freshName()
    const { id } = await add(hostname)
    await dataOf(dev.delete(`/custom-domains/${id}`))
    expect((await other('POST', '/custom-domains', { hostname })).status).toBe(201)
  })
})

describe('the owners are told', () => {
  const told = async (hostname: string) =>
    (await s.ctx.db.select().from(s.ctx.tables.notices))
      .filter(({ kind, title }) => kind === 'domain_lost' && title.includes(hostname))
      .sort((a, b) => a.createdAt - b.createdAt)
      .map(({ title }) => title.replace(hostname, 'NAME'))

  test('once when the record is gone for a day, and when the pages stop', async () => {
    const { id, hostname } = await addVerified()
    dns.names.delete(`_svc.${hostname}`)
    await nextCheck(id)
    expect(await told(hostname)).toEqual([])
    for (let hour = 0; hour < 30; hour++) await nextCheck(id)
    expect(await told(hostname)).toEqual(['The TXT record of NAME is gone'])
    s.ctx.clock.advance(6 * DAY)
    await checkDue(s.ctx)
    expect((await read(id)).status).toBe('PENDING')
    expect(await told(hostname)).toEqual(['The TXT record of NAME is gone', 'NAME shows no funnels any more'])
    await nextCheck(id)
    expect(await told(hostname)).toHaveLength(2)
  })

  test('when a name fails, but not when a person asked and sees it', async () => {
    const { id, hostname } = await add(freshName())
    s.ctx.clock.advance(72 * HOUR)
    await checkDue(s.ctx)
    expect(await told(hostname)).toEqual(['NAME could not be verified'])
    const asked = await add(freshName())
    s.ctx.clock.advance(72 * HOUR)
    await dataOf(dev.post(`/custom-domains/${asked.id}/verify`))
    expect(await read(asked.id)).toMatchObject({ status: 'FAILED' })
    expect(await told(asked.hostname)).toEqual([])
    expect((await read(id)).status).toBe('FAILED')
  })

  test('when another project has proved the name, without the name of that project', async () => {
    const { hostname } = await add(freshName())
    const owned = await dataOf(other('POST', '/custom-domains', { hostname }))
    setRecords(owned)
    await dataOf(other('POST', `/custom-domains/${owned.id}/verify`))
    await checkDue(s.ctx)
    expect(await told(hostname)).toEqual(['NAME belongs to another project'])
    const [notice] = (await s.ctx.db.select().from(s.ctx.tables.notices)).filter(({ title }) =>
      title.includes(hostname),
    )
    expect([notice?.projectId, notice?.body.includes(s.other.id)]).toEqual([s.project.id, false])
  })
})

describe('a deleted domain', () => {
  test('is gone for its project, which may take the name again with another token', async () => {
    const { id, hostname, verification } = await addVerified()
    await changes(s, () => dev.delete(`/custom-domains/${id}`), ['customDomain.delete'])
    expect((await dev.get(`/custom-domains/${id}`)).status).toBe(404)
    expect(await verifiedHostnames(s.ctx)).not.toContain(hostname)
    const again = await add(hostname)
    expect(again.status).toBe('PENDING')
    expect(again.verification.value).not.toBe(verification.value)
    expect((await nextCheck(again.id)).status).toBe('PENDING')
  })

  test('is kept from other projects for 7 days, unless its DNS shows their own token', async () => {
    const { id, hostname, verification } = await addVerified()
    await dataOf(dev.delete(`/custom-domains/${id}`))
    const want = () => other('POST', '/custom-domains', { hostname })
    const first = await want()
    expect(first).toMatchObject({ status: 409, body: { error: { code: 'HOSTNAME_TAKEN' } } })
    const [token = ''] = /svc-verify=\w+/.exec(first.body.error.message) ?? []
    expect(token).not.toBe(verification.value)
    expect((await want()).body.error.message).toContain(token)
    dns.names.set(`_svc.${hostname}`, { TXT: [token] })
    const created = await dataOf(want())
    expect(created).toMatchObject({ status: 'PENDING', verification: { value: token } })
    expect(await dataOf(other('POST', `/custom-domains/${created.id}/verify`))).toMatchObject({ status: 'VERIFIED' })
    await refused(s, () => dev.post('/custom-domains', { hostname }), 409, 'HOSTNAME_TAKEN')
  })

  test('is free for everybody after 7 days', async () => {
    const { id, hostname } = await addVerified()
    await dataOf(dev.delete(`/custom-domains/${id}`))
    s.ctx.clock.advance(7 * DAY - 1)
    expect((await other('POST', '/custom-domains', { hostname })).status).toBe(409)
    s.ctx.clock.advance(1)
    expect((await other('POST', '/custom-domains', { hostname })).status).toBe(201)
  })
})

test('names that were freed are forgotten after 7 days, and no earlier', async () => {
  const { id, hostname } = await addVerified()
  await dataOf(dev.delete(`/custom-domains/${id}`))
  const { freedHostnames: f } = s.ctx.tables
  const sweep = async () => {
    await freedRetention.sweep(s.ctx, () => false)
    return (await s.ctx.db.select().from(f)).some((row) => row.hostname === hostname)
  }
  const [oldest] = (await freedRetention.oldest?.(s.ctx)) ?? []
  expect(oldest?.keptMs).toBe(7 * DAY)
  s.ctx.clock.advance(7 * DAY)
  expect(await sweep()).toBe(true)
  s.ctx.clock.advance(1)
  expect(await sweep()).toBe(false)
})

test('roles below a developer read domains and change none', async () => {
  const { id } = await add(freshName())
  for (const role of ['CUSTOMER_SUPPORT', 'GROWTH'] as const) {
    const calls = people.as(role)
    await refused(s, () => calls.post('/custom-domains', { hostname: freshName() }), 403, 'ROLE_REQUIRED')
    await refused(s, () => calls.patch(`/custom-domains/${id}`, { redirectTo: null }), 403, 'ROLE_REQUIRED')
    await refused(s, () => calls.delete(`/custom-domains/${id}`), 403, 'ROLE_REQUIRED')
    await refused(s, () => calls.post(`/custom-domains/${id}/verify`), 403, 'ROLE_REQUIRED')
    expect((await calls.get(`/custom-domains/${id}`)).status).toBe(200)
  }
})

test('the names of a deleted project are freed at the next check', async () => {
  const hostname = freshName()
  const created = await dataOf(other('POST', '/custom-domains', { hostname }))
  setRecords(created)
  s.ctx.clock.advance(MINUTE)
  await checkDue(s.ctx)
  expect(await verifiedHostnames(s.ctx)).toContain(hostname)
  const { body } = await other('GET', '')
  await dataOf(other('DELETE', '', { confirmSlug: body.data?.slug }))
  expect(await verifiedHostnames(s.ctx)).not.toContain(hostname)
  await checkDue(s.ctx)
  expect((await dev.post('/custom-domains', { hostname })).body.error.message).toContain('svc-verify=')
  s.ctx.clock.advance(7 * DAY)
  expect((await dev.post('/custom-domains', { hostname })).status).toBe(201)
})
