import { createHash } from 'node:crypto'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { type Answer, COINS, MONTHLY } from './cast'
import { renew, rowOf } from './facts'
import { notify } from './notify'
import { dataOf } from './operator'
import { type PaymentStage, paymentStage, WEBHOOK_SECRET } from './payment'
import { type Receiver, startReceiver } from './receiver'
import { configure, HALVES } from './remote'
import { type Staff, staff } from './staff'
import { iso } from './telemetry'
import { subscribeOnWeb } from './web'

/**
 * A person who is everywhere: everything that the API lets somebody say about a person contains the person's marker.
 *
 * It covers: device keys (two phones, the first one merged into the second by identify), label, custom and reserved
 * attributes (by app, server and member of staff), `presentedContext`, the store's account token, ledger descriptions,
 * keys and references, reasons of grants, notes of credits, tracked events of experiments and an exposure, sessions,
 * client events (with hashed e-mail), the inbox (notifications of the iOS store, events of the payment provider with
 * e-mail and name), bodies and answers of deliveries, kept answers of `Idempotency-Key`, a cohort, a leaderboard, a
 * scheduled cancellation, audit rows of all that, a question of the iOS store about a refund, and bodies that wait to be
 * forwarded. Open data requests: `askForData`.
 *
 * It does not cover: imports, Android purchases.
 */
export interface EverywherePerson {
  /** Occurs in every text about the person, and in nothing of anybody else. */
  tag: string
  /** The live row. */
  id: string
  /** The live row and those that were merged into it. */
  ids: string[]
  deviceKeys: [string, string]
  label: string
  email: string
  /** A UUID, so that it cannot contain the tag. */
  accountToken: string
  /** The customer at the payment provider. */
  customerId: string
  /** Texts that the deployment stores about the person, by the place where they were said. */
  markers: Markers
}

export interface EverywhereStage extends PaymentStage {
  team: Staff
  /** Gets every webhook, and repeats each body in its answer. */
  receiver: Receiver
}

const EXPERIMENT = { id: 'exp_everywhere', key: 'everywhere_test', metrics: ['*'] }

/** A stage on which a person can be everywhere. */
export async function everywhereStage(env: Record<string, string> = {}): Promise<EverywhereStage> {
  const s = await paymentStage({
    settings: { extraReservedKeys: true },
    env: { SVC_ALLOW_PRIVATE_TARGETS: '1', SVC_RATE_USER: '0', SVC_RATE_KEY: '0', SVC_RATE_IP: '0', ...env },
  })
  const [team, receiver] = [staff(s), startReceiver()]
  receiver.respond = ({ body }) => new Response(body, { status: 500 })
  await configure(s, { experiments: [{ ...EXPERIMENT, startedAt: s.ctx.clock.now() - DAY }] })
  await dataOf(
    team.as('OWNER').post('/webhook-endpoints', { name: 'all', url: `${receiver.url}/hooks`, eventTypes: ['*'] }),
  )
  for (const store of ['IOS_STORE', 'PAYMENT'])
    await dataOf(team.as('ADMIN').post('/notification-forwards', { store, url: `${receiver.url}/forwards` }))
  const { close } = s
  return Object.assign(s, {
    team,
    receiver,
    async close() {
      await close()
      await receiver.close()
    },
  })
}

export async function personEverywhere(s: EverywhereStage, tag: string): Promise<EverywherePerson> {
  const [first, second] = [`svc_${tag}_phone_1`, `svc_${tag}_phone_2`]
  const label = `${tag}-label`
  const email = `${tag}@example.com`
  const accountToken = uuidOf(tag)
  const markers = markersOf(tag)
  await useApp(s, first, { label, email, accountToken, markers })
  await ok(s.post('/v1/identify', { deviceKey: second, appUserId: label }, withKey(`${tag}-again`)))
  const [{ id }, merged] = [await rowOf(s, second), await rowOf(s, first)]
  await tellByServer(s, id, markers)
  await tellByStaff(s, id, markers)
  const customerId = await payOnline(s, second, email, markers)
  await beCounted(s, tag)
  await s.ctx.state.assignments.flush()
  await s.ctx.state.dispatcher.runDue()
  const own = { tag, id, ids: [id, merged.id], deviceKeys: [first, second] as [string, string] }
  return { ...own, label, email, accountToken, customerId, markers }
}

/** Opens an export of the person in the person's own name. Returns its id. */
export async function askForData(s: EverywhereStage, { label, markers }: EverywherePerson): Promise<string> {
  const body = { appUserId: label, requestedBy: markers.requestedBy }
  return (await dataOf(s.post('/v1/dsar/export', body, { key: s.project.secretKey }))).request.id
}

const markersOf = (tag: string) => ({
  attribute: `${tag}-attribute`,
  displayName: `${tag}-display-name`,
  serverAttribute: `${tag}-server-attribute`,
  staffAttribute: `${tag}-staff-attribute`,
  presentedContext: `${tag}-presented-context`,
  appVersion: `${tag}-app-version`.slice(0, 32),
  eventId: `${tag}-event-id`,
  eventSourceUrl: `https://example.com/${tag}-source-url`,
  trackedMetadata: `${tag}-tracked-metadata`,
  ledgerDescription: `${tag}-ledger-description`,
  ledgerKey: `${tag}-ledger-key`,
  creditsNote: `${tag}-credits-note`,
  grantReason: `${tag}-grant-reason`,
  requestedBy: `${tag}-requested-by`,
  providerName: `${tag}-provider-name`,
  providerEmail: `${tag}.billing@example.com`,
})

type Markers = ReturnType<typeof markersOf>

interface Said {
  label: string
  email: string
  accountToken: string
  markers: Markers
}

/** Everything that an app says, from the first phone. */
async function useApp(s: EverywhereStage, device: string, { label, email, accountToken, markers }: Said) {
  await ok(s.post('/v1/identify', { deviceKey: device, appUserId: label }, withKey(`${label}-key`)))
  const attributes = { note: markers.attribute, $email: email, $displayName: markers.displayName }
  await ok(s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': device } }))
  const month = { ...s.buy(MONTHLY), appAccountToken: accountToken }
  const presentedContext = { screen: markers.presentedContext }
  for (const payload of [month, s.buy(COINS)])
    await ok(
      s.post('/v1/receipts/ios', {
        ...{ receipt: s.sign(payload), appUserId: device, productId: payload.productId, presentedContext },
      }),
    )
  const sessions = [{ type: 'open', occurredAt: iso(s.ctx.clock.now()), appVersion: markers.appVersion }]
  await ok(s.post('/v1/sdk/sessions', { subscriberId: device, events: sessions }))
  await ok(
    s.post('/v1/events', {
      ...{ eventType: 'tutorial_completed', occurredAt: iso(s.ctx.clock.now()), subscriberId: device },
      ...{ eventId: markers.eventId, eventSourceUrl: markers.eventSourceUrl, identityContext: { email } },
    }),
  )
  const tracked = [{ type: 'signup', metadata: { said: markers.trackedMetadata } }]
  await ok(s.post(`/v1/experiments/track?subscriberId=${device}`, { events: tracked }))
  const [{ id: variantId }] = HALVES as [(typeof HALVES)[0]]
  await ok(s.post(`/v1/experiments/${EXPERIMENT.key}/expose`, { subscriberId: device, variantId, country: 'TR' }))
  s.ctx.clock.advance(31 * DAY)
  const renewed = { ...renew(s, month, MONTHLY), appAccountToken: accountToken }
  await ok(notify(s, ['DID_RENEW', null], renewed))
  await ok(notify(s, ['CONSUMPTION_REQUEST', null], renewed))
}

async function tellByServer(s: EverywhereStage, id: string, { serverAttribute, ...markers }: Markers): Promise<void> {
  const key = { key: s.project.secretKey }
  await ok(s.post(`/v1/subscribers/${id}/attributes`, { attributes: { told: serverAttribute } }, key))
  const entry = { idempotencyKey: markers.ledgerKey, description: markers.ledgerDescription }
  await ok(s.post(`/v1/virtual-currencies/${id}/gems/transactions`, { amount: 5, ...entry }, key))
}

async function tellByStaff(s: EverywhereStage, id: string, markers: Markers): Promise<void> {
  const owner = s.team.as('OWNER')
  await ok(owner.patch(`/subscribers/${id}/attributes`, { attributes: { seen: markers.staffAttribute } }))
  const credits = { code: 'gems', amount: 3, idempotencyKey: `${id}-note`, description: markers.creditsNote }
  await ok(owner.post(`/subscribers/${id}/credits`, credits))
  const granted = await dataOf(
    owner.post(`/subscribers/${id}/grants`, { accessIds: ['coach'], reason: markers.grantReason }),
  )
  const dueAt = iso(s.ctx.clock.now() + DAY)
  await ok(owner.post(`/subscriptions/${granted.id}/schedule`, { action: 'CANCEL', dueAt, revokeImmediately: true }))
}

/** Subscribes on the web; the provider's events name the person. Returns the customer's id at the provider. */
async function payOnline(s: EverywhereStage, device: string, email: string, markers: Markers): Promise<string> {
  const subscription = await subscribeOnWeb(s, device)
  for (const { body } of await s.deliveries()) {
    const event = JSON.parse(body)
    const person = { email: markers.providerEmail, name: markers.providerName, address: null, phone: null }
    Object.assign(event.data.object, { customer_details: person, customer_email: email })
    await ok(s.deliver(await signEvent(event, { secret: WEBHOOK_SECRET, now: s.ctx.clock.now() })))
  }
  return String(s.world.subscriptions.get(subscription)?.customer)
}

async function beCounted(s: EverywhereStage, tag: string): Promise<void> {
  s.ctx.clock.advance(MINUTE)
  const growth = s.team.as('GROWTH')
  const text = tag.replaceAll(/[^a-z0-9]/g, '_')
  const cohort = await dataOf(
    growth.post('/cohorts', { identifier: `all_${text}`, name: 'All', definition: { event: 'subscriber.first_seen' } }),
  )
  await ok(growth.get(`/cohorts/${cohort.id}/members`))
  const board = await dataOf(
    growth.post('/leaderboards', { identifier: `top_${text}`, name: 'Top', metric: 'spend', window: 'all' }),
  )
  await ok(growth.get(`/leaderboards/${board.id}/entries?environment=SANDBOX`))
}

const withKey = (idempotencyKey: string) => ({ headers: { 'idempotency-key': idempotencyKey } })

function uuidOf(tag: string): string {
  const hex = createHash('sha256').update(tag).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

async function ok(call: Promise<Answer>): Promise<void> {
  const { status, body } = await call
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
}
