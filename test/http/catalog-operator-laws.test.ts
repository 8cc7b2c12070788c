import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MINUTE } from '../../src/base/lib/clock'
import { verifyAudit } from '../../src/projects/audit/audit'
import { createProject } from '../../src/projects/project/service'
import { applyFile } from '../../src/projects/project-file/apply'
import { loadCurrent } from '../../src/projects/project-file/load'
import { parseProjectFile } from '../../src/projects/project-file/parse'
import { writeYaml } from '../../src/projects/project-file/write-yaml'
import { type Stage, stage } from '../support/cast'
import { moreInRelease } from '../support/release'
import { HALVES } from '../support/remote'
import { SECTIONS } from '../support/sections'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

interface Row {
  id: string
  [member: string]: unknown
}

/** Picks one of the objects that a path lists; the number comes from the generated sequence. */
type Pick = (path: string, number: number) => Promise<Row | null>

type Step = { kind: string; n: number; m: number }

const name = (n: number): string => `n${n % 4}`
const json = (n: number): unknown => [1, 'x', { a: [n, null, { b: '1.0' }] }, [true], 0.5][n % 5]

/** One edit as a person makes it in the dashboard. Refusals are part of the law: they must change nothing. */
const EDITS: Record<string, (call: StaffCalls, pick: Pick, n: number, m: number) => Promise<unknown>> = {
  createAccess: (call, _pick, n, m) =>
    call.post('/access', { identifier: name(n), displayName: `A ${m}`, metadata: { m: json(m) } }),
  updateAccess: edit('/access', (n, m) => ({ identifier: name(m), description: n % 2 ? 'Why' : null })),
  deleteAccess: remove('/access'),
  createProduct: async (call, pick, n, m) => {
    const access = await pick('/access', m)
    return call.post('/products', {
      identifier: name(n),
      type: ['SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE'][m % 3],
      displayName: `P ${n}`,
      storeIds: { ios: n % 2 ? `ios.${m % 5}` : null, android: `android.${m % 2}` },
      androidBasePlanId: m % 2 ? `plan${n % 3}` : null,
      period: n % 3 ? 'P1M' : null,
      price: m % 2 ? { amountMicros: 9_990_000 + n, currency: 'EUR' } : null,
      accessIds: access ? [access.id] : [],
    })
  },
  updateProduct: edit('/products', (n, m) => ({
    identifier: name(m),
    isActive: n % 2 === 0,
    metadata: { v: json(n) },
    storeIds: { payment: `price_${m % 3}` },
    price: n % 2 ? { amountMicros: 1_000_000 * (m + 1), currency: 'JPY' } : null,
  })),
  deleteProduct: remove('/products'),
  setGrants: async (call, pick, n, m) => {
    const [product, currency] = [await pick('/products', n), await pick('/virtual-currencies', m)]
    if (!product || !currency) return
    const grants = [{ currencyId: currency.id, amount: n + 1, grantOn: n % 2 ? 'PURCHASE' : 'BOTH' }]
    return call.put(`/products/${product.id}/currency-grants`, { grants })
  },
  createOffering: async (call, pick, n, m) => {
    const product = await pick('/products', m)
    const packages = product
      ? [
          { identifier: '$svc_a', productId: product.id, order: m, isPromoted: n % 2 === 0 },
          { identifier: 'b', productId: product.id },
        ]
      : []
    return call.post('/offerings', { identifier: name(n), isDefault: m % 3 === 0, packages })
  },
  updateOffering: edit('/offerings', (n, m) => ({
    identifier: name(m),
    ...(n % 2 ? { isDefault: true } : {}),
    metadata: { v: json(m) },
  })),
  deleteOffering: remove('/offerings'),
  createCurrency: (call, _pick, n, m) =>
    call.post('/virtual-currencies', { code: name(n), name: `C ${m}`, clawback: [null, 'full', 'none'][m % 3] }),
  updateCurrency: edit('/virtual-currencies', (_n, m) => ({ code: name(m) })),
  archiveCurrency: remove('/virtual-currencies'),
  createAudience: (call, _pick, n, m) =>
    call.post('/audiences', { name: name(n), rules: m % 2 ? { country: { $in: ['TR', String(m)] } } : {} }),
  updateAudience: edit('/audiences', (n, m) => ({ name: name(m), description: `${n}` })),
  deleteAudience: remove('/audiences'),
  createFlag: async (call, pick, n, m) => {
    const audience = await pick('/audiences', m)
    const rules = audience ? [{ audienceId: audience.id, value: json(n), rolloutPercentage: (m % 5) / 4 }] : []
    return call.post('/feature-flags', {
      key: name(n),
      env: ['PROD', 'STAGING'][m % 2],
      type: 'JSON',
      defaultValue: json(m),
      rules,
    })
  },
  putFlag: (call, _pick, n, m) =>
    call.put(`/feature-flags/by-key/${name(n)}`, {
      type: m % 2 ? 'JSON' : 'NUMBER',
      environments: { PROD: { defaultValue: m }, DEVELOPMENT: n % 2 ? { defaultValue: n, isEnabled: false } : null },
    }),
  deleteFlag: remove('/feature-flags'),
  createExperiment: async (call, pick, n, m) => {
    const audience = await pick('/audiences', n)
    return call.post('/experiments', {
      key: `e${n % 3}`,
      name: `E ${m}`,
      type: 'FLAG',
      audienceId: audience?.id ?? null,
      variants: HALVES,
      metrics: ['purchase'],
    })
  },
  deleteExperiment: remove('/experiments'),
  createPlacement: async (call, pick, n, m) => {
    const audience = await pick('/audiences', m)
    const rows = [
      ...(audience ? [{ audienceId: audience.id, target: { type: 'none' } }] : []),
      { audienceId: null, target: { type: 'none' } },
    ]
    return call.post('/placements', { identifier: name(n), name: `L ${m}`, rows, isActive: m % 2 === 0 })
  },
  updatePlacement: edit('/placements', (n, m) => ({ identifier: name(m), isActive: n % 2 === 0 })),
  deletePlacement: remove('/placements'),
}

function edit(path: string, change: (n: number, m: number) => object): (typeof EDITS)[string] {
  return async (call, pick, n, m) => {
    const row = await pick(path, n)
    return row && call.patch(`${path}/${row.id}`, change(n, m))
  }
}

function remove(path: string): (typeof EDITS)[string] {
  return async (call, pick, n) => {
    const row = await pick(path, n)
    return row && call.delete(`${path}/${row.id}`)
  }
}

const auditCount = (): Promise<number> => s.ctx.db.$count(s.ctx.tables.auditLog)

const exported = async (projectId: string): Promise<string> =>
  writeYaml(await loadCurrent(s.ctx, projectId, SECTIONS), { withIds: false })

const step = fc.record({
  kind: fc.constantFrom(...Object.keys(EDITS)),
  n: fc.nat({ max: 30 }),
  m: fc.nat({ max: 30 }),
})

/** The calls of a person in one project, with the pages that they have read. */
function operatorOf(projectId: string): { call: StaffCalls; pick: Pick } {
  const team = staff(s)
  team.sessions.roles.set(`usr_developer ${projectId}`, 'DEVELOPER')
  const dev = team.as('DEVELOPER')
  const options = { projectId }
  const call: StaffCalls = {
    ...dev,
    get: (path) => dev.get(path, options),
    post: (path, body) => dev.post(path, body, options),
    patch: (path, body) => dev.patch(path, body, options),
    put: (path, body) => dev.put(path, body, options),
    delete: (path) => dev.delete(path, options),
  }
  const pick: Pick = async (path, number) => {
    const { items } = (await call.get(path)).body.data
    return items[number % Math.max(1, items.length)] ?? null
  }
  return { call, pick }
}

test('whatever people edit, the exported file makes an empty project the same', async () => {
  const runs = Number(process.env.SVC_TEST_RUNS ?? moreInRelease(4, 8))
  const counts = { accepted: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 45 }), async (steps: Step[]) => {
      const { project } = await createProject(s.ctx, { name: 'Edited' })
      const { call, pick } = operatorOf(project.id)
      for (const { kind, n, m } of steps) {
        s.ctx.clock.advance(MINUTE)
        const rows = await auditCount()
        const answer = (await EDITS[kind]?.(call, pick, n, m)) as { status: number; body: unknown } | null | undefined
        if (!answer) continue
        if (answer.status >= 500) throw new Error(`${kind} ${JSON.stringify(answer.body)}`)
        counts[answer.status < 300 ? 'accepted' : 'refused']++
        if (answer.status >= 300) expect(await auditCount()).toBe(rows)
      }
      const text = await exported(project.id)
      const { project: empty } = await createProject(s.ctx, { name: 'Empty' })
      const own = text.replace(`slug: ${project.slug}`, `slug: ${empty.slug}`)
      const parsed = parseProjectFile(SECTIONS, own, { env: () => null, file: () => null })
      if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
      const plan = await applyFile(s.ctx, empty.id, parsed, { prune: true })
      expect(plan.problems).toEqual([])
      expect(await exported(empty.id)).toBe(own)
      expect((await verifyAudit(s.ctx, project.id)).ok).toBe(true)
    }),
    { numRuns: runs },
  )
  expect(counts.accepted).toBeGreaterThan(runs * 5)
  expect(counts.refused).toBeGreaterThan(0)
})
