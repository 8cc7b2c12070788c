import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CastProject, MONTHLY, type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'
import { place } from '../support/placements'
import { HALVES } from '../support/remote'

/** The ids of what a project has; codes and identifiers where those are what a body names. */
interface Own {
  oldKey: string
  access: string
  product: string
  offering: string
  offeringName: string
  otherOffering: string
  currency: string
  code: string
  audience: string
  flag: string
  flagKey: string
  experiment: string
  running: string
  variant: string
  placement: string
  funnel: string
  otherFunnel: string
  funnelExperiment: string
  cohort: string
  leaderboard: string
  endpoint: string
  domain: string
  member: string
  subscriber: string
  receiver: string
  purchase: string
}

let s: Stage
let thief: Person
let own: Own
let foreign: Own

beforeAll(async () => {
  s = await stage({
    env: { SVC_RATE_USER: '0', SVC_RATE_IP: '0', SVC_ALLOW_PRIVATE_TARGETS: '1', SVC_SIMULATOR: 'on' },
  })
  const owner = await join(s, 'ada', 'OWNER')
  thief = await join(s, 'thief', 'OWNER', s.other.id)
  foreign = await fill(owner, s.project, 'here')
  own = await fill(thief, s.other, 'there')
})
afterAll(() => s.close())

const at = (project: CastProject, path: string) => `/dashboard/projects/${project.id}${path}`

async function fill(owner: Person, project: CastProject, name: string): Promise<Own> {
  const make = async (path: string, body: object) => {
    const { status, body: answer } = await owner.browser.post(at(project, path), body)
    expect([path, status, answer.error]).toEqual([path, 201, undefined])
    return answer.data.id as string
  }
  const experiment = { name, type: 'FLAG', audienceId: null }
  const variants = HALVES.map((half) => ({ ...half, id: `${half.id}_${name}` }))
  const running = await make('/experiments', { ...experiment, key: `running_${name}`, variants })
  expect((await owner.browser.post(at(project, `/experiments/${running}/start`))).status).toBe(200)
  const [funnel = '', otherFunnel = ''] = ['a', 'b'].map((one) => `fnl_${one}_${name}`.padEnd(30, '0'))
  await place(s, { funnels: [{ id: funnel }, { id: otherFunnel }] }, project.id)
  const funnels = variants.map((half, index) => ({ ...half, value: { funnelId: [funnel, otherFunnel][index] } }))
  const [device, other] = [`svc_${name}_a`, `svc_${name}_b`]
  const key = project.publicKey
  for (const one of [device, other]) await s.receipt(one, s.buy(MONTHLY), { key })
  const people = await s.ctx.db.select().from(s.ctx.tables.subscribers)
  const [subscriber = '', receiver = ''] = [device, other].map((one) => people.find((row) => row.deviceKey === one)?.id)
  const purchases = await s.ctx.db.select().from(s.ctx.tables.purchases)
  await make('/offerings', { identifier: `winter_${name}` })
  const currency = await make('/virtual-currencies', { code: `stars_${name}`, name })
  const keys = [{ key: `appl_former_${name}`, platform: 'ios' }]
  const door = await owner.browser.call('PUT', at(project, '/sdk-door'), { oldKeys: keys })
  return {
    oldKey: door.body.data.oldKeys[0].id,
    access: await make('/access', { identifier: `gold_${name}`, displayName: name }),
    product: await make('/products', { identifier: `gold_${name}`, type: 'SUBSCRIPTION', displayName: name }),
    offering: await make('/offerings', { identifier: `summer_${name}` }),
    offeringName: `summer_${name}`,
    otherOffering: `winter_${name}`,
    currency,
    code: `stars_${name}`,
    audience: await make('/audiences', { name, rules: { country: 'TR' } }),
    flag: await make('/feature-flags', { key: `flag_${name}`, env: 'PROD', type: 'BOOLEAN', defaultValue: false }),
    flagKey: `flag_${name}`,
    experiment: await make('/experiments', { ...experiment, key: `draft_${name}`, variants }),
    running,
    variant: variants[0]?.id ?? '',
    placement: await make('/placements', { identifier: `place_${name}`, name, rows: [] }),
    funnel,
    otherFunnel,
    funnelExperiment: await make('/experiments', {
      ...experiment,
      key: `funnels_${name}`,
      type: 'FUNNEL',
      variants: funnels,
    }),
    cohort: await make('/cohorts', { identifier: `cohort_${name}`, name, definition: { event: 'purchase.initial' } }),
    leaderboard: await make('/leaderboards', { identifier: name, name, metric: 'spend', window: 'all' }),
    domain: await make('/custom-domains', { hostname: `${name}.example.com` }),
    endpoint: await make('/webhook-endpoints', { name, url: 'http://127.0.0.1:9/x', eventTypes: ['funnel.claimed'] }),
    member: (await join(s, `member-${name}`, 'GROWTH', project.id)).id,
    subscriber,
    receiver,
    purchase: purchases.find((row) => row.subscriberId === subscriber)?.id ?? '',
  }
}

let made = 0
/** Of something new: a name that was not used. */
const fresh = (): string => `made_${++made}`

interface Reference {
  /** The field, as the OpenAPI document has it. */
  field: string
  /** Which object of a project it names. */
  of: keyof Own
  path?: (own: Own) => string
  /** The rest of the body is right, so that the reference alone decides. */
  body: (ref: string) => object
  /** The code by which the call is refused when the id is the caller's own. */
  next?: string
}

const rule = (audienceId: string) => [{ audienceId, value: true }]
const rows = (row: object) => [{ audienceId: null, target: { type: 'none' }, ...row }]
const packages = (productId: string) => ({ packages: [{ identifier: 'one', productId }] })
const cohort = (productId: string) => ({ definition: { event: 'purchase.initial', filters: { productId } } })
const halvesOf = (...values: unknown[]) => HALVES.map((half, index) => ({ ...half, value: values[index] }))
const experimentOf = (members: object) => ({
  ...{ key: fresh(), name: 'Test', type: 'FLAG', audienceId: null, variants: HALVES },
  ...members,
})

/** A route as the document names it, below the project, and what its body names. */
const REFERENCES: Record<string, Reference[]> = {
  'POST /cohorts': [
    {
      field: 'definition.filters.productId',
      of: 'product',
      body: (id) => ({ identifier: fresh(), name: 'x', ...cohort(id) }),
    },
  ],
  'PATCH /cohorts/{id}': [
    { field: 'definition.filters.productId', of: 'product', path: ({ cohort: id }) => `/cohorts/${id}`, body: cohort },
  ],
  'POST /experiments': [
    { field: 'audienceId', of: 'audience', body: (audienceId) => experimentOf({ audienceId }) },
    {
      field: 'placementId',
      of: 'placement',
      body: (placementId) =>
        experimentOf({
          type: 'FUNNEL',
          placementId,
          variants: halvesOf({ funnelId: own.funnel }, { funnelId: own.otherFunnel }),
        }),
    },
    {
      field: 'variants[].value',
      of: 'offeringName',
      body: (value) => experimentOf({ type: 'OFFERING', variants: halvesOf(value, own.otherOffering) }),
    },
    {
      field: 'variants[].value.funnelId',
      of: 'funnel',
      body: (funnelId) =>
        experimentOf({ type: 'FUNNEL', variants: halvesOf({ funnelId }, { funnelId: own.otherFunnel }) }),
    },
  ],
  'PATCH /experiments/{id}': [
    {
      field: 'audienceId',
      of: 'audience',
      path: ({ experiment }) => `/experiments/${experiment}`,
      body: (audienceId) => ({ audienceId }),
    },
    {
      field: 'placementId',
      of: 'placement',
      path: ({ experiment }) => `/experiments/${experiment}`,
      body: (placementId) => ({ placementId }),
    },
  ],
  'POST /experiments/{id}/stop': [
    {
      field: 'winnerVariantId',
      of: 'variant',
      path: ({ running }) => `/experiments/${running}/stop`,
      body: (winnerVariantId) => ({ winnerVariantId }),
    },
  ],
  'POST /feature-flags': [
    {
      field: 'rules[].audienceId',
      of: 'audience',
      body: (id) => ({ key: fresh(), env: 'PROD', type: 'BOOLEAN', defaultValue: false, rules: rule(id) }),
    },
  ],
  'PATCH /feature-flags/{id}': [
    {
      field: 'rules[].audienceId',
      of: 'audience',
      path: ({ flag }) => `/feature-flags/${flag}`,
      body: (id) => ({ rules: rule(id) }),
    },
  ],
  'PUT /feature-flags/by-key/{key}': (['PROD', 'STAGING', 'DEVELOPMENT'] as const).map((env) => ({
    field: `environments.${env}.rules[].audienceId`,
    of: 'audience' as const,
    path: ({ flagKey }) => `/feature-flags/by-key/${flagKey}`,
    body: (id) => ({ type: 'BOOLEAN', environments: { [env]: { defaultValue: false, rules: rule(id) } } }),
  })),
  'POST /leaderboards': [
    {
      field: 'currencyId',
      of: 'currency',
      body: (currencyId) => ({ identifier: fresh(), name: 'x', metric: 'currency', currencyId, window: 'all' }),
    },
  ],
  'PATCH /leaderboards/{id}': [
    {
      field: 'currencyId',
      of: 'currency',
      path: ({ leaderboard }) => `/leaderboards/${leaderboard}`,
      body: (currencyId) => ({ metric: 'currency', currencyId }),
    },
  ],
  'POST /offerings': [
    { field: 'packages[].productId', of: 'product', body: (id) => ({ identifier: fresh(), ...packages(id) }) },
  ],
  'PATCH /offerings/{id}': [
    { field: 'packages[].productId', of: 'product', path: ({ offering }) => `/offerings/${offering}`, body: packages },
  ],
  'POST /placements': [
    {
      field: 'rows[].audienceId',
      of: 'audience',
      body: (audienceId) => ({ identifier: fresh(), name: 'x', rows: rows({ audienceId }) }),
    },
    {
      field: 'rows[].target.funnelId',
      of: 'funnel',
      body: (funnelId) => ({ identifier: fresh(), name: 'x', rows: rows({ target: { type: 'funnel', funnelId } }) }),
    },
    {
      field: 'rows[].target.experimentId',
      of: 'funnelExperiment',
      body: (experimentId) => ({
        identifier: fresh(),
        name: 'x',
        rows: rows({ target: { type: 'experiment', experimentId } }),
      }),
    },
    {
      field: 'rows[].target.offeringId',
      of: 'offering',
      body: (offeringId) => ({
        identifier: fresh(),
        name: 'x',
        rows: rows({ target: { type: 'offering', offeringId } }),
      }),
    },
  ],
  'PATCH /placements/{id}': [
    {
      field: 'rows[].audienceId',
      of: 'audience',
      path: ({ placement }) => `/placements/${placement}`,
      body: (audienceId) => ({ rows: rows({ audienceId }) }),
    },
    {
      field: 'rows[].target.funnelId',
      of: 'funnel',
      path: ({ placement }) => `/placements/${placement}`,
      body: (funnelId) => ({ rows: rows({ target: { type: 'funnel', funnelId } }) }),
    },
    {
      field: 'rows[].target.experimentId',
      of: 'funnelExperiment',
      path: ({ placement }) => `/placements/${placement}`,
      body: (experimentId) => ({ rows: rows({ target: { type: 'experiment', experimentId } }) }),
    },
    {
      field: 'rows[].target.offeringId',
      of: 'offering',
      path: ({ placement }) => `/placements/${placement}`,
      body: (offeringId) => ({ rows: rows({ target: { type: 'offering', offeringId } }) }),
    },
  ],
  'POST /custom-domains': [
    {
      field: 'rootFunnelId',
      of: 'funnel',
      body: (rootFunnelId) => ({ hostname: `${fresh()}.example.com`.replaceAll('_', '-'), rootFunnelId }),
    },
  ],
  'PATCH /custom-domains/{id}': [
    {
      field: 'rootFunnelId',
      of: 'funnel',
      path: ({ domain }) => `/custom-domains/${domain}`,
      body: (rootFunnelId) => ({ rootFunnelId }),
    },
  ],
  'POST /products': [
    {
      field: 'accessIds[]',
      of: 'access',
      body: (id) => ({ identifier: fresh(), type: 'SUBSCRIPTION', displayName: 'x', accessIds: [id] }),
    },
  ],
  'POST /products/waiting': [
    { field: 'accessIds[]', of: 'access', body: (id) => ({ accessIds: [id] }), next: 'CONFLICT' }, // Nothing waits.
  ],
  'PATCH /products/{id}': [
    {
      field: 'accessIds[]',
      of: 'access',
      path: ({ product }) => `/products/${product}`,
      body: (id) => ({ accessIds: [id] }),
    },
  ],
  'PUT /sdk-door': [{ field: 'oldKeys[].id', of: 'oldKey', body: (id) => ({ oldKeys: [{ id, platform: 'ios' }] }) }],
  'PUT /products/{id}/currency-grants': [
    {
      field: 'grants[].currencyId',
      of: 'currency',
      path: ({ product }) => `/products/${product}/currency-grants`,
      body: (currencyId) => ({ grants: [{ currencyId, amount: 5, grantOn: 'PURCHASE' }] }),
    },
  ],
  'POST /subscribers/{id}/grants': [
    {
      field: 'productId',
      of: 'product',
      path: ({ receiver }) => `/subscribers/${receiver}/grants`,
      body: (productId) => ({ productId }),
    },
    {
      field: 'accessIds[]',
      of: 'access',
      path: ({ receiver }) => `/subscribers/${receiver}/grants`,
      body: (id) => ({ accessIds: [id] }),
    },
  ],
  'POST /audiences/{id}/grants': [
    {
      field: 'productId',
      of: 'product',
      path: ({ audience }) => `/audiences/${audience}/grants`,
      body: (productId) => ({ productId }),
    },
    {
      field: 'accessIds[]',
      of: 'access',
      path: ({ audience }) => `/audiences/${audience}/grants`,
      body: (id) => ({ accessIds: [id] }),
    },
  ],
  'POST /subscribers/{id}/credits': [
    {
      field: 'code',
      of: 'code',
      path: ({ receiver }) => `/subscribers/${receiver}/credits`,
      body: (code) => ({ code, amount: 5, idempotencyKey: fresh() }),
    },
  ],
  'POST /subscribers/{id}/transfer': [
    {
      field: 'purchaseIds[]',
      of: 'purchase',
      path: ({ subscriber }) => `/subscribers/${subscriber}/transfer`,
      body: (id) => ({ toSubscriberId: own.receiver, purchaseIds: [id] }),
    },
    {
      field: 'toSubscriberId',
      of: 'receiver',
      path: ({ subscriber }) => `/subscribers/${subscriber}/transfer`,
      body: (toSubscriberId) => ({ toSubscriberId }),
    },
  ],
  'POST /transactions/sync': [
    {
      field: 'subscriberId',
      of: 'receiver',
      path: () => '/transactions/sync',
      body: (subscriberId) => ({ subscriberId }),
    },
  ],
  'POST /webhook-deliveries/replay': [
    {
      field: 'endpointId',
      of: 'endpoint',
      body: (endpointId) => ({ endpointId, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }),
    },
  ],
  // The last one: the thief is an owner no more.
  'POST /transfer': [{ field: 'userId', of: 'member', body: (userId) => ({ userId }) }],
}

/** Fields with such names that name no object of a project, with what they name. */
const OTHERS: Record<string, string> = {
  'POST /products/waiting products[].storeProductId': 'of the store',
  'PATCH logoAssetId': 'there are no assets, so every id is missing',
  'POST /charts/views chartId': 'a chart, which every project has',
  'POST /funnels templateId': 'a template, which every project has',
  'POST /experiments variants[].id': 'made by the caller',
  'PATCH /experiments/{id} variants[].id': 'made by the caller',
  'POST /products androidBasePlanId': 'of the store',
  'PATCH /products/{id} androidBasePlanId': 'of the store',
  'POST /products androidOfferId': 'of the store',
  'PATCH /products/{id} androidOfferId': 'of the store',
  'POST /products/import storeIds[]': 'of the store',
  'PUT /app-links ios.teamId': 'of the store',
  'PUT /app-links ios.bundleIds[]': 'of the store',
  'PUT /credentials/ios bundleId': 'of the store',
  'PUT /credentials/ios appId': 'of the store',
  'PUT /credentials/ios inAppPurchaseKey.keyId': 'of the store',
  'PUT /credentials/ios inAppPurchaseKey.issuerId': 'of the store',
  'PUT /credentials/ios storeConnectKey.keyId': 'of the store',
  'PUT /credentials/ios storeConnectKey.issuerId': 'of the store',
  'PUT /billing/details taxId': 'of the state',
  'POST /billing/upgrade paymentMethodId': 'of the payment provider',
  'POST /exports/schedules accessKeyId': 'of the object store',
  'PATCH /exports/schedules/{id} accessKeyId': 'of the object store',
}

const P = '/dashboard/projects/{projectId}'

interface Schema {
  $ref?: string
  type?: string
  items?: Schema
  properties?: Record<string, Schema>
  [key: string]: unknown
}

/** The texts in a body, by their places: `rows[].target.funnelId`. */
function textsOf(schema: Schema | undefined, place: string, schemas: Record<string, Schema>): string[] {
  if (!schema) return []
  if (schema.$ref) return textsOf(schemas[schema.$ref.split('/').at(-1) ?? ''], place, schemas)
  const variants = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] as Schema[] | undefined) ?? [])
  const below = Object.entries(schema.properties ?? {}).map(
    ([name, one]) => [place === '' ? name : `${place}.${name}`, one] as const,
  )
  return [
    ...variants.flatMap((one) => textsOf(one, place, schemas)),
    ...textsOf(schema.items, `${place}[]`, schemas),
    ...below.flatMap(([name, one]) => textsOf(one, name, schemas)),
    ...(schema.type === 'string' ? [place] : []),
  ]
}

test('every field of a body that names an object is in the table', async () => {
  const { paths, components } = (await s.call('GET', '/openapi-dashboard.json', { key: null })).body
  const found = new Set<string>()
  for (const [path, operations] of Object.entries<Record<string, Schema>>(paths))
    for (const [method, operation] of Object.entries(operations)) {
      if (!path.startsWith(P) || !['post', 'put', 'patch'].includes(method)) continue
      const body = operation.requestBody as { content?: Record<string, { schema: Schema }> } | undefined
      const texts = textsOf(body?.content?.['application/json']?.schema, '', components.schemas)
      for (const text of texts.filter((one) => /(^|\.)(id|\w+Ids?)(\[\])?$/.test(one)))
        found.add(`${method.toUpperCase()} ${path.slice(P.length)} ${text}`.replace('  ', ' '))
    }
  const listed = Object.entries(REFERENCES).flatMap(([route, ones]) => ones.map(({ field }) => `${route} ${field}`))
  const known = new Set([...listed, ...Object.keys(OTHERS)])
  expect([...found].filter((one) => !known.has(one))).toEqual([])
  expect(Object.keys(OTHERS).filter((one) => !found.has(one))).toEqual([])
  expect(found.size).toBeGreaterThan(40)
})

/** Every row of the database. */
async function database(): Promise<string> {
  const all: string[] = []
  for (const table of Object.values(s.ctx.tables))
    all.push(Bun.inspect(await s.ctx.db.select().from(table), { depth: 20 }))
  return all.join('\n')
}

/** An id of the same form that nothing has. */
const missing = (id: string): string => `${id.slice(0, -4)}zzzz`

const CASES = Object.entries(REFERENCES).flatMap(([route, ones]) => ones.map((one) => [route, one.field, one] as const))

test.each(CASES)('%s, %s: an id of another project is as one that nothing has', async (route, _field, reference) => {
  const [method = '', pattern = ''] = route.split(' ')
  const send = async (ref: string) => {
    const path = at(s.other, reference.path?.(own) ?? pattern)
    const { status, body } = await thief.browser.call(method, path, reference.body(ref))
    return {
      status,
      text: JSON.stringify(body)
        .replaceAll(ref, 'REF')
        .replaceAll(/made_\d+/g, 'made'),
    }
  }
  const before = await database()
  const [known, unknown] = [await send(foreign[reference.of]), await send(missing(own[reference.of]))]
  expect(known).toEqual(unknown)
  expect([400, 404, 409]).toContain(known.status)
  expect(await database()).toBe(before)
  const right = await send(own[reference.of])
  const isDone = right.status < 300 || right.text.includes(reference.next ?? 'STORE_NOT_CONFIGURED')
  expect([right.text.slice(0, 200), isDone]).toEqual([right.text.slice(0, 200), true])
})
