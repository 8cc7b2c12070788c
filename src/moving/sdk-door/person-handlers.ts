import type { Context } from '../../base/context'
import { entitlementsOf } from '../../people/entitlements/service'
import { listPurchases } from '../../people/purchases/holdings'
import { type Creation, creationOf } from '../../people/subscribers/creation'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { AdmittedCall, ArrivedCall, SdkAnswer } from './admitted'
import { setSdkAttributes } from './attributes'
import { countAtOnce, recallCaller } from './caller'
import { virtualCurrencies } from './currencies'
import { changesAt, toCustomerInfo } from './customer-info'
import { findKept, keepInfo } from './kept-info'
import type { SdkCaller } from './model'
import { checkPersonId, ensurePerson, findPerson, isOwnRow, isShownToAll, requirePerson, switchPerson } from './people'
import { submitReceipt } from './receipts'

/** The creation of a person by such a call: limited as by any other call with a public key. */
const creationFor = (ctx: Context, { request, caller }: AdmittedCall): Creation => {
  const { platform } = caller
  const known = platform === 'amazon' ? 'android' : platform
  return { ...creationOf(ctx, request), platform: known }
}

async function admittedPerson(ctx: Context, admitted: AdmittedCall, id: unknown): Promise<string> {
  const personId = checkPersonId(id)
  await requirePerson(ctx, admitted.caller, personId, admitted.request.headers)
  return personId
}

export async function answerSubscriber(ctx: Context, admitted: AdmittedCall): Promise<SdkAnswer> {
  const { caller, call } = admitted
  const { project, isTest } = caller
  const personId = await admittedPerson(ctx, admitted, call.personId)
  const question = { project, isTest, personId }
  const now = ctx.clock.now()
  const kept = findKept(ctx, question, now)
  if (kept) return keptAnswer(ctx, kept, now)
  const mark = ctx.state.responseCache.mark() // Taken before any row is read.
  const { row, isNew } = await ensurePerson(ctx, project.id, personId, creationFor(ctx, admitted))
  const made = await makeInfo(ctx, caller, personId, row)
  if (isOwnRow(row, personId)) keepInfo(ctx, question, made, mark)
  return { status: isNew ? 201 : 200, body: made.info, subscriberId: row.id }
}

function keptAnswer(ctx: Context, { info, subscriberId }: NonNullable<ReturnType<typeof findKept>>, now: number) {
  ctx.state.presence.see(subscriberId, now)
  return { body: info, subscriberId }
}

/**
 * The kept answer about a person, when the call needs no read and may be answered without a wait; null when it must be
 * answered as any other call. Its checks are those of `admitSdk` and `answerSubscriber`.
 */
export function recallSubscriber(ctx: Context, arrived: ArrivedCall): { caller: SdkCaller; answer: SdkAnswer } | null {
  const { call, request } = arrived
  if (call.personId === null || ctx.state.limits.isShared) return null
  const now = ctx.clock.now()
  const caller = recallCaller(ctx, request.headers, now)
  if (!caller || !isShownToAll(caller.project, call.personId)) return null
  const { project, isTest, key } = caller
  const kept = findKept(ctx, { project, isTest, personId: call.personId }, now)
  if (!kept || !countAtOnce(ctx, arrived, key, now)) return null
  return { caller, answer: keptAnswer(ctx, kept, now) }
}

/** The answer about a person: the same one wherever the protocol has it. */
const customerInfoOf = async (ctx: Context, caller: SdkCaller, personId: string, row: SubscriberRow) =>
  (await makeInfo(ctx, caller, personId, row)).info

async function makeInfo(ctx: Context, { project, isTest }: SdkCaller, personId: string, row: SubscriberRow) {
  const purchases = await listPurchases(ctx, row.id)
  const at = ctx.clock.now()
  const entitlements = entitlementsOf(project, row, purchases, at)
  const facts = { catalog: project.catalog, personId, row, purchases, entitlements, now: at, isTest }
  const rowIds = [row.id, ...purchases.map(({ id }) => id)]
  return { info: toCustomerInfo(facts), subscriberId: row.id, rowIds, at, changesAt: changesAt(facts) }
}

export async function answerIdentify(ctx: Context, admitted: AdmittedCall): Promise<SdkAnswer> {
  const { caller, body, facts } = admitted
  const from = checkPersonId(body.app_user_id)
  const to = await admittedPerson(ctx, admitted, body.new_app_user_id)
  const order = { from, to, creation: creationFor(ctx, admitted), requestId: facts.id }
  const { row, isNew } = await switchPerson(ctx, caller, order)
  return { status: isNew ? 201 : 200, body: await customerInfoOf(ctx, caller, to, row), subscriberId: row.id }
}

export async function answerReceipt(ctx: Context, admitted: AdmittedCall): Promise<SdkAnswer> {
  const { caller, body, facts, request } = admitted
  const personId = checkPersonId(body.app_user_id)
  const creation = creationFor(ctx, admitted)
  const { row } = await ensurePerson(ctx, caller.project.id, personId, creation)
  const { purchased } = await submitReceipt(ctx, caller, { row, body, requestId: facts.id, creation })
  // The purchase is recorded. Only now may the person be refused, in a way that the SDK repeats.
  await requirePerson(ctx, caller, personId, request.headers)
  const refused = await setSdkAttributes(ctx, row, body.attributes)
  const live = (await findPerson(ctx, caller.project.id, personId)) ?? row
  const info = await customerInfoOf(ctx, caller, personId, live)
  const more = refused.length === 0 ? {} : { attributes_error_response: attributeErrors(refused) }
  const bought = Object.keys(purchased).length > 0 ? { purchased_products: purchased } : {}
  return { body: { ...info, ...bought, ...more }, subscriberId: live.id }
}

const INVALID_ATTRIBUTES = 7263
const attributeErrors = (attribute_errors: readonly object[]) => ({
  code: INVALID_ATTRIBUTES,
  message: 'Some subscriber attributes were not saved',
  attribute_errors,
})

export async function answerAttributes(ctx: Context, admitted: AdmittedCall): Promise<SdkAnswer> {
  const { caller, call, body } = admitted
  const personId = await admittedPerson(ctx, admitted, call.personId)
  const { row } = await ensurePerson(ctx, caller.project.id, personId, creationFor(ctx, admitted))
  const refused = await setSdkAttributes(ctx, row, body.attributes)
  const answer = refused.length === 0 ? { body: {} } : { status: 400, body: attributeErrors(refused) }
  return { ...answer, subscriberId: row.id }
}

export async function answerCurrencies(ctx: Context, admitted: AdmittedCall): Promise<SdkAnswer> {
  const { caller, call } = admitted
  const personId = await admittedPerson(ctx, admitted, call.personId)
  const { row } = await ensurePerson(ctx, caller.project.id, personId, creationFor(ctx, admitted))
  return { body: await virtualCurrencies(ctx, caller, row) }
}

/** The exchange of this token for its campaign is not built; it is kept, so that nothing is lost. */
export async function keepAdServicesToken(ctx: Context, admitted: AdmittedCall): Promise<SdkAnswer> {
  const { caller, call, body } = admitted
  const personId = await admittedPerson(ctx, admitted, call.personId)
  const { row } = await ensurePerson(ctx, caller.project.id, personId, creationFor(ctx, admitted))
  const value = body.aad_attribution_token
  const updated_at_ms = ctx.clock.now()
  await setSdkAttributes(ctx, row, { $adServicesToken: { value, updated_at_ms } })
  return { body: {} }
}
