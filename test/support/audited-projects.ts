import { DAY, MINUTE } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { syncNames } from '../../src/operators/tls/names'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { PACKAGE } from './android'
import { type AuditedCall, type AuditedCase, come, keeps, kept, own, type World } from './audited-calls'
import { MONTHLY } from './cast'
import { linksTo, type Person } from './crew'
import { delivered, deviceOwner, happen } from './deliveries'
import { notify, storeEvents } from './notify'
import { SECRET_KEY, WEBHOOK_SECRET } from './payment'
import { HALVES } from './remote'
import { IOS_BODY } from './store-setup'
import { WEB_PRO } from './three-stores'

/** A call of the owner below the project. `{name}` in the path is what was kept under the name; it is the target. */
function call(w: World, route: string, action: string, body?: unknown, path = route): AuditedCase {
  return {
    route: route.replaceAll(/\{[^}]+\}/g, ':id'),
    prepare: () => {
      const name = /\{([^}]+)\}/.exec(path)?.[1]
      const id = name === undefined ? undefined : kept(w, name)
      const given = path.replace(/^\w+ P/, '').replace(/\{[^}]+\}/, id ?? '')
      return {
        action,
        path: own(w, given),
        ...(body === undefined ? {} : { body }),
        ...(id !== undefined && { target: id }),
      }
    },
  }
}

/** The case after a while. */
const later = (w: World, ms: number, { prepare, ...found }: AuditedCase): AuditedCase => ({
  ...found,
  prepare: () => {
    w.s.ctx.clock.advance(ms)
    return prepare()
  },
})

const then = (found: AuditedCase, after: AuditedCase['after'] & object): AuditedCase => ({ ...found, after })

/** Creates, changes and deletes one object of a kind. */
const lifeOf = (w: World, path: string, action: string, body: object, change: object): AuditedCase[] => [
  then(call(w, `POST P/${path}`, `${action}.create`, body), keeps(w, path)),
  call(w, `PATCH P/${path}/{${path}}`, `${action}.update`, change),
  call(w, `DELETE P/${path}/{${path}}`, `${action}.delete`),
]

export const catalogueCases = (w: World): AuditedCase[] => [
  ...lifeOf(w, 'access', 'access', { identifier: 'a', displayName: 'A' }, { displayName: 'B' }),
  ...lifeOf(
    w,
    'products',
    'product',
    { identifier: 'p', type: 'SUBSCRIPTION', displayName: 'P' },
    { displayName: 'B' },
  ),
  ...lifeOf(w, 'offerings', 'offering', { identifier: 'o' }, { metadata: { headline: 'Hi' } }),
  ...lifeOf(w, 'virtual-currencies', 'virtualCurrency', { code: 'stars', name: 'Stars' }, { name: 'Suns' }).slice(0, 2),
  call(w, 'DELETE P/virtual-currencies/{virtual-currencies}', 'virtualCurrency.archive'),
  call(
    w,
    'PUT P/products/:id/currency-grants',
    'product.update',
    { grants: [{ currencyId: 'vcy_1coins'.padEnd(30, '0'), amount: 7, grantOn: 'PURCHASE' }] },
    `PUT P/products/${'prd_1coins_100'.padEnd(30, '0')}/currency-grants`,
  ),
]

export const exportCases = (w: World): AuditedCase[] =>
  lifeOf(
    w,
    'exports/schedules',
    'exportSchedule',
    { to: 's3://bucket/daily', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a-secret-of-tests' },
    { dailyAt: '03:30' },
  )

export const compareCases = (w: World): AuditedCase[] => [
  then(
    call(w, 'POST P/compare/runs', 'compare.start', { vendor: 'revenuecat', key: 'a-secret-of-tests' }),
    keeps(w, 'run'),
  ),
  call(w, 'POST P/compare/runs/{run}/cancel', 'compare.cancel', {}),
  call(w, 'PUT P/compare/schedule', 'compareSchedule.create', { vendor: 'revenuecat', key: 'a-secret-of-tests' }),
  call(w, 'DELETE P/compare/schedule', 'compareSchedule.delete'),
]

export const targetingCases = (w: World): AuditedCase[] => [
  ...lifeOf(w, 'audiences', 'audience', { name: 'Turks', rules: { country: 'TR' } }, { description: 'Why' }),
  then(
    call(w, 'POST P/feature-flags', 'flag.create', { key: 'f', env: 'PROD', type: 'BOOLEAN', defaultValue: false }),
    keeps(w, 'flag'),
  ),
  call(w, 'PATCH P/feature-flags/{flag}', 'flag.update', { defaultValue: true }),
  call(w, 'POST P/feature-flags/{flag}/toggle', 'flag.update', { isEnabled: false }),
  call(
    w,
    'PUT P/feature-flags/by-key/:key',
    'flag.create',
    { type: 'BOOLEAN', environments: { PROD: { isEnabled: true, defaultValue: true, rules: [] } } },
    'PUT P/feature-flags/by-key/g',
  ),
  call(w, 'DELETE P/feature-flags/by-key/:key', 'flag.delete', undefined, 'DELETE P/feature-flags/by-key/g'),
  call(w, 'DELETE P/feature-flags/{flag}', 'flag.delete'),
  then(
    call(w, 'POST P/experiments', 'experiment.create', {
      ...{ key: 'e', name: 'Test', type: 'FLAG', audienceId: null, variants: HALVES },
    }),
    keeps(w, 'experiment'),
  ),
  call(w, 'PATCH P/experiments/{experiment}', 'experiment.update', { name: 'Other' }),
  call(w, 'POST P/experiments/{experiment}/start', 'experiment.start', {}),
  call(w, 'POST P/experiments/{experiment}/pause', 'experiment.pause', {}),
  call(w, 'POST P/experiments/{experiment}/resume', 'experiment.resume', {}),
  call(w, 'POST P/experiments/{experiment}/stop', 'experiment.stop', {}),
  {
    route: 'POST P/experiments/:id/duplicate',
    prepare: () => ({
      action: 'experiment.duplicate',
      path: own(w, `/experiments/${kept(w, 'experiment')}/duplicate`),
      body: {},
    }),
    after: keeps(w, 'copy'),
  },
  call(w, 'DELETE P/experiments/{copy}', 'experiment.delete'),
  ...lifeOf(w, 'placements', 'placement', { identifier: 'p', name: 'P', rows: [] }, { name: 'Q' }),
  ...funnelCases(w),
]

const funnelCases = (w: World): AuditedCase[] => {
  const pages = [{ id: 'a', type: 'info', title: { en: 'A' } }]
  const change = (command: string, body: object = {}) =>
    call(w, `POST P/funnels/{funnel}/${command}`, `funnel.${command}`, body)
  const copied: AuditedCase = {
    route: 'POST P/funnels/:id/duplicate',
    prepare: () => ({
      action: 'funnel.duplicate',
      path: own(w, `/funnels/${kept(w, 'funnel')}/duplicate`),
      body: {},
    }),
  }
  return [
    then(call(w, 'POST P/fonts/families', 'font_family.create', { name: 'Sans' }), keeps(w, 'family')),
    call(w, 'DELETE P/fonts/families/{family}', 'font_family.delete'),
    then(call(w, 'POST P/funnels', 'funnel.create', { slug: 'f', name: 'F', pages }), keeps(w, 'funnel')),
    change('publish'),
    call(w, 'PATCH P/funnels/{funnel}', 'funnel.update', { pages: [{ ...pages[0], title: { en: 'B' } }] }),
    change('revert', { versionNo: 1 }),
    call(w, 'POST P/funnels/{funnel}/translate-template', 'funnel.update', {
      format: 'csv',
      text: 'key,en\npages.a.title,C\n',
    }),
    change('unpublish'),
    change('archive'),
    change('restore'),
    copied,
    call(w, 'DELETE P/funnels/{funnel}', 'funnel.delete'),
    then(call(w, 'POST P/custom-domains', 'customDomain.create', { hostname: 'quiz.example.com' }), keeps(w, 'domain')),
    call(w, 'PATCH P/custom-domains/{domain}', 'customDomain.update', { redirectTo: 'https://www.example.com/' }),
    call(w, 'POST P/custom-domains/{domain}/verify', 'customDomain.verify', {}),
    call(w, 'DELETE P/custom-domains/{domain}', 'customDomain.delete'),
    call(w, 'PUT P/app-links', 'appLinks.create', {
      ios: { teamId: 'TEAM123456', bundleIds: ['com.example.sleep'], scheme: 'sleep' },
      android: null,
    }),
  ]
}

/** A purchase at the built-in test store. */
export const testStoreCases = (w: World): AuditedCase[] => [
  call(w, 'POST P/test-store/purchases', 'test_store.purchase', { device: 'nia', product: 'pro_monthly' }),
  call(w, 'POST P/test-store/simulations', 'test_store.simulate', { action: 'renew', device: 'nia' }),
]

/** What people keep about the figures of a project. */
export const insightCases = (w: World): AuditedCase[] => [
  ...lifeOf(
    w,
    'cohorts',
    'cohort',
    { identifier: 'c', name: 'C', definition: { event: 'purchase.initial' } },
    { name: 'D' },
  ),
  ...lifeOf(
    w,
    'leaderboards',
    'leaderboard',
    { identifier: 'l', name: 'L', metric: 'spend', window: 'all' },
    { window: 'day' },
  ),
  ...noteOf(w, 'charts/views', 'chartView', { name: 'V', chartId: 'revenue', params: { grain: 'month' } }),
  ...noteOf(w, 'charts/annotations', 'annotation', { at: '2026-11-20T08:00:00Z', text: 'Price raised' }),
]

const noteOf = (w: World, path: string, action: string, body: object): AuditedCase[] => [
  then(call(w, `POST P/${path}`, `${action}.create`, body), keeps(w, path)),
  call(w, `DELETE P/${path}/{${path}}`, `${action}.delete`),
]
export const queryCases = (w: World): AuditedCase[] =>
  lifeOf(w, 'queries', 'query', { name: 'Revenue', sql: 'select 1' }, { name: 'Money' })

const ENDPOINT = { name: 'backend', url: 'https://8.8.8.8/hooks', eventTypes: ['*'] }

export const webhookCases = (w: World): AuditedCase[] => {
  const [create, update, remove] = lifeOf(w, 'webhook-endpoints', 'webhookEndpoint', ENDPOINT, { ordered: true })
  const rotate = call(w, 'POST P/webhook-endpoints/{webhook-endpoints}/rotate-secret', 'webhookEndpoint.rotate', {})
  return [create, update, rotate, ...deliveryCases(w), remove].filter((found) => found !== undefined)
}

/** What people do with the deliveries of the endpoint. */
const deliveryCases = (w: World): AuditedCase[] => {
  const act = (action: string, event?: string): AuditedCase => ({
    route: `POST P/webhook-deliveries/:id/${action}`,
    prepare: async () => {
      const { id } = await delivered(w.s, { targetId: kept(w, 'webhook-endpoints'), ...(event && { event }) })
      const call = {
        action: `webhookDelivery.${action}`,
        path: own(w, `/webhook-deliveries/${id}/${action}`),
        body: {},
      }
      return action === 'redeliver' ? call : { ...call, target: id }
    },
  })
  const happened = async () => (await happen(w.s, await deviceOwner(w.s, 'svc_told'), [{}]))[0] ?? 'none'
  return [
    act('retry'),
    act('dismiss'),
    {
      ...act('redeliver'),
      prepare: async () => {
        const event = await happened()
        return act('redeliver', event).prepare()
      },
    },
    {
      route: 'POST P/webhook-deliveries/replay',
      prepare: async () => {
        await happened()
        const window = { from: toIso(w.s.ctx.clock.now() - DAY), to: toIso(w.s.ctx.clock.now()) }
        const body = { endpointId: kept(w, 'webhook-endpoints'), ...window }
        return { action: 'webhookDelivery.replay', path: own(w, '/webhook-deliveries/replay'), body }
      },
    },
  ]
}

/** An address whose host need not be looked up. */
const FORWARD_URL = 'https://93.184.216.34/payment'

export const storeCases = (w: World): AuditedCase[] => [
  call(w, 'POST P/purchases/relink', 'purchases.relink', {}),
  call(w, 'PUT P/credentials/ios', 'store.update', IOS_BODY),
  call(w, 'POST P/apps/ios/notification-url', 'notificationUrl.update', { environment: 'both' }),
  {
    route: 'PUT P/credentials/android',
    prepare: async () => ({
      action: 'store.create',
      path: own(w, '/credentials/android'),
      body: { packageName: PACKAGE, serviceAccount: await w.s.google.serviceAccountFile() },
      target: 'android',
    }),
  },
  call(w, 'POST P/apps/android/pubsub/connect', 'pubsub.connect', {}),
  {
    route: 'POST P/apps/android/pubsub/recreate',
    prepare: () => {
      w.s.cloud.subscriptions.clear()
      return { action: 'pubsub.recreate', path: own(w, '/apps/android/pubsub/recreate'), body: {} }
    },
  },
  call(w, 'POST P/apps/android/pubsub/rotate', 'pubsub.rotate', {}),
  call(w, 'DELETE P/apps/android/pubsub', 'pubsub.disconnect'),
  call(w, 'PUT P/credentials/payment', 'store.create', {
    ...{ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, mode: 'test' },
  }),
  {
    ...call(w, 'POST P/notification-forwards', 'notificationForward.create', { store: 'PAYMENT', url: FORWARD_URL }),
    after: keeps(w, 'forward'),
  },
  call(w, 'DELETE P/notification-forwards/{forward}', 'notificationForward.delete'),
  call(w, 'POST P/products/import', 'product.create', { store: 'payment', storeIds: [WEB_PRO] }),
  call(w, 'PUT P/commission-rates', 'store.create', { rates: { IOS_STORE: 0.15 } }),
  call(w, 'PUT P/refund-shield', 'store.create', {
    ...{ enabled: true, delayMinutes: 60, policy: 'decline', customerConsented: true },
  }),
  call(w, 'PUT P/sdk-door', 'store.create', {
    ...{ enabled: true, oldKeys: [{ key: 'appl_OfTheFormerVendor', platform: 'ios' }] },
  }),
]

const subscriberOf = async ({ s }: World, device: string): Promise<string> =>
  (await s.get('/v1/me', device)).body.data.subscriber.id

/** Buys a subscription at the payment provider. */
async function bought(w: World, device: string): Promise<{ purchaseId: string; subscriberId: string }> {
  const { s } = w
  const subscriberId = await subscriberOf(w, device)
  subscribe(s.world, { priceId: WEB_PRO, metadata: { svc_subscriber_id: subscriberId } })
  await s.deliverPayments(s.project.id)
  s.ctx.clock.advance(MINUTE)
  const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
  return { purchaseId: rows.find((one) => one.subscriberId === subscriberId)?.id ?? 'none', subscriberId }
}

const about = async (w: World, device: string, path: string, call: Omit<AuditedCall, 'path'>): Promise<AuditedCall> => {
  const target = await subscriberOf(w, device)
  return { ...call, path: own(w, `/subscribers/${target}${path}`), target }
}

export const peopleCases = (w: World): AuditedCase[] => [
  {
    route: 'PATCH P/subscribers/:id/attributes',
    prepare: () =>
      about(w, 'svc_ada', '/attributes', { action: 'subscriber.attributes', body: { attributes: { plan: 'gold' } } }),
  },
  {
    route: 'POST P/subscribers/:id/credits',
    prepare: () =>
      about(w, 'svc_ada', '/credits', {
        action: 'subscriber.credits',
        body: { code: 'gems', amount: 5, idempotencyKey: 'once' },
      }),
  },
  {
    route: 'POST P/subscribers/:id/grants',
    prepare: () =>
      about(w, 'svc_ada', '/grants', { action: 'subscriber.grant', body: { accessIds: ['pro'], reason: 'Sorry.' } }),
    after: keeps(w, 'grant'),
  },
  {
    route: 'POST P/audiences/:id/grants',
    prepare: async () => {
      const rules = { 'svc.deviceKey': 'svc_ada' }
      const { data } = (await w.owner.browser.post(own(w, '/audiences'), { name: 'Ada', rules })).body
      const path = own(w, `/audiences/${data.id}/grants`)
      return {
        action: 'subscriber.grant',
        path,
        body: { accessIds: ['pro'] },
        target: await subscriberOf(w, 'svc_ada'),
      }
    },
  },
  {
    route: 'POST P/subscriptions/:purchaseId/schedule',
    prepare: () => ({
      action: 'purchase.schedule',
      path: own(w, `/subscriptions/${kept(w, 'grant')}/schedule`),
      body: { action: 'CANCEL', dueAt: toIso(w.s.ctx.clock.now() + DAY) },
      target: kept(w, 'grant'),
    }),
  },
  call(w, 'DELETE P/subscriptions/{grant}/schedule', 'purchase.unschedule'),
  {
    route: 'POST P/subscribers/:id/dsar',
    prepare: async () => {
      const { target: _, ...call } = await about(w, 'svc_ada', '/dsar', {
        action: 'dataRequest.export',
        body: { type: 'EXPORT' },
      })
      return call
    },
  },
  {
    route: 'POST P/subscribers/:id/transfer',
    prepare: async () => {
      await bought(w, 'svc_bo')
      const toSubscriberId = await subscriberOf(w, 'svc_cy')
      return about(w, 'svc_bo', '/transfer', { action: 'subscriber.transfer', body: { toSubscriberId } })
    },
    after: keeps(w, 'transfer', ({ transferId }) => transferId),
  },
  {
    route: 'POST P/transfers/:id/undo',
    prepare: () => ({ action: 'transfer.undo', path: own(w, `/transfers/${kept(w, 'transfer')}/undo`), body: {} }),
  },
  {
    route: 'POST P/subscriptions/:purchaseId/refund',
    prepare: async () => {
      const { purchaseId } = await bought(w, 'svc_di')
      return {
        action: 'purchase.refund',
        path: own(w, `/subscriptions/${purchaseId}/refund`),
        body: {},
        target: purchaseId,
      }
    },
  },
  {
    route: 'POST P/transactions/:id/refund',
    prepare: async () => {
      const { purchaseId } = await bought(w, 'svc_ed')
      const lines = await w.s.ctx.db.select().from(w.s.ctx.tables.transactions)
      const id = lines.find((line) => line.purchaseId === purchaseId)?.id
      return { action: 'purchase.refund', path: own(w, `/transactions/${id}/refund`), body: {}, target: purchaseId }
    },
  },
  call(w, 'POST P/transactions/sync', 'transactions.sync', {}),
  {
    route: 'POST P/store-events/:id/reprocess',
    prepare: async () => {
      const { s } = w
      await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy({ ...MONTHLY, productId: 'com.x.unsold' }), { id: 'n-1' })
      const target = (await storeEvents(s)).find(({ status }) => status === 'FAILED')?.id ?? 'none'
      return { action: 'storeEvent.reprocess', path: own(w, `/store-events/${target}/reprocess`), body: {}, target }
    },
  },
  call(w, 'POST P/store-events/fetch', 'storeEvent.fetch', { store: 'PAYMENT' }),
  call(w, 'DELETE P/credentials/:store', 'store.delete', undefined, 'DELETE P/credentials/payment'),
  call(w, 'POST P/project-file/apply', 'access.create', { file: 'version: 1\naccess: { vip: { displayName: V } }\n' }),
  call(w, 'POST P/project-file/patch', 'access.create', { patch: { access: { vop: { displayName: 'V' } } } }),
  {
    route: 'DELETE P/project-file/drift',
    prepare: async () => {
      const { ctx, project } = w.s
      const row = { projectId: project.id, appliedAt: ctx.clock.now(), appliedBy: CLI_ACTOR, sections: {} }
      await ctx.write(({ db, tables }) =>
        db
          .insert(tables.appliedFiles)
          .values(row)
          .then(() => {}),
      )
      return { action: 'projectFile.forget', path: own(w, '/project-file/drift'), target: 'project-file' }
    },
  },
]

const GUEST = 'guest@example.com'

async function joined(w: World, name: string, role: string): Promise<Person> {
  const email = `${name}@example.com`
  await w.owner.browser.post(own(w, '/invitations'), { email, role })
  const person = await come(w, name)
  const { status } = await person.browser.post(`/invitations/${await tokenTo(w, email)}/accept`)
  if (status !== 200) throw new Error(`${name} did not join`)
  return person
}

const tokenTo = async ({ s }: World, email: string) => (await linksTo(s, email))[0]?.split('/').at(-1) ?? ''

export const teamCases = (w: World): AuditedCase[] => [
  call(w, 'PATCH P', 'project.update', { name: 'Renamed' }),
  call(w, 'PATCH P/notification-defaults', 'notificationDefaults.update', { channels: { push: false } }),
  then(call(w, 'POST P/api-keys', 'apiKey.create', { label: 'Server' }), keeps(w, 'key')),
  call(w, 'PATCH P/api-keys/{key}', 'apiKey.update', { label: 'Other' }),
  call(w, 'POST P/api-keys/{key}/rotate', 'apiKey.rotate', {}),
  call(w, 'DELETE P/api-keys/{key}', 'apiKey.revoke'),
  then(call(w, 'POST P/invitations', 'invitation.create', { email: GUEST, role: 'DEVELOPER' }), keeps(w, 'guest')),
  later(w, 5 * MINUTE, call(w, 'POST P/invitations/{guest}/resend', 'invitation.resend', {})),
  {
    route: 'POST /invitations/:token/accept',
    prepare: async () => {
      const by = await come(w, 'guest')
      w.kept.set('member', by.id)
      return { action: 'member.add', path: `/invitations/${await tokenTo(w, GUEST)}/accept`, body: {}, by }
    },
  },
  call(w, 'PATCH P/members/{member}', 'member.update', { role: 'ADMIN' }),
  call(w, 'DELETE P/members/{member}', 'member.remove'),
  {
    route: 'DELETE P/invitations/:id',
    prepare: async () => {
      const body = { email: 'late@example.com', role: 'GROWTH' }
      const { id } = (await w.owner.browser.post(own(w, '/invitations'), body)).body.data
      return { action: 'invitation.revoke', path: own(w, `/invitations/${id}`), target: id }
    },
  },
  {
    route: 'POST P/leave',
    prepare: async () => ({
      action: 'member.leave',
      path: own(w, '/leave'),
      body: {},
      by: await joined(w, 'short', 'GROWTH'),
    }),
  },
]

/** The last ones: after them the owner has no project. */
export const endCases = (w: World): AuditedCase[] => [
  {
    route: 'POST P/transfer',
    prepare: async () => {
      const heir = await joined(w, 'heir', 'ADMIN')
      return { action: 'project.transfer', path: own(w, '/transfer'), body: { userId: heir.id } }
    },
  },
  {
    route: 'POST /dashboard/projects',
    prepare: () => ({ action: 'project.create', path: '/dashboard/projects', body: { name: 'Moon' } }),
    after: keeps(w, 'project', ({ project }) => project.id),
  },
  {
    route: 'DELETE P',
    prepare: () => {
      const target = kept(w, 'project')
      return { action: 'project.delete', path: `/dashboard/projects/${target}`, target }
    },
  },
]

export const platformCases = (w: World): AuditedCase[] => {
  const admin = (route: string, action: string, path: () => string, body?: unknown): AuditedCase => ({
    route,
    prepare: () => ({ action, path: path(), by: w.root, ...(body === undefined ? {} : { body }) }),
  })
  const on = (path: string) => () => `/admin/projects/${w.s.project.id}${path}`
  const grant = { reason: 'They asked.', hours: 1 }
  return [
    then(
      admin('POST /admin/projects/:id/support-grants', 'supportGrant.create', on('/support-grants'), grant),
      keeps(w, 'support'),
    ),
    call(w, 'DELETE P/support-grants/{support}', 'supportGrant.revoke'),
    {
      route: 'DELETE /admin/support-grants/:id',
      prepare: async () => {
        const { id } = (await w.root.browser.post(on('/support-grants')(), grant)).body.data
        return { action: 'supportGrant.revoke', path: `/admin/support-grants/${id}`, by: w.root, target: id }
      },
    },
    admin('POST /admin/projects/:id/suspend', 'project.suspend', on('/suspend'), { reason: 'Spam.' }),
    admin('POST /admin/projects/:id/unsuspend', 'project.unsuspend', on('/unsuspend'), {}),
    {
      route: 'POST /admin/tls/renew',
      prepare: async () => {
        const name = 'svc.example.com'
        await syncNames(w.s.ctx, [{ name, projectId: null }])
        return { action: 'tls.renew', path: '/admin/tls/renew', body: { name }, by: w.root, target: name }
      },
    },
    {
      route: 'POST /admin/users/:id/sign-out',
      prepare: async () => {
        const { id } = await come(w, 'gone')
        return { action: 'user.sign_out', path: `/admin/users/${id}/sign-out`, body: {}, by: w.root, target: id }
      },
    },
  ]
}
