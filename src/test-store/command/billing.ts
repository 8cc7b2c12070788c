import { CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { requireProvider } from '../../operators/plan-billing/choose-provider'
import { readBilling } from '../../operators/plan-billing/read-billing'
import { requireProject } from '../../projects/project/lookup'
import { advanceBilling } from '../billing/care'
import { changeScene, deliverBilling } from '../billing/scene'
import { authenticate, confirmWith, failNow, giveCard, recover } from '../billing/turns'
import { CARD_KINDS } from '../billing/world'
import { NO_TROUBLE } from '../stores/world'
import { refuseForeignOptions, toDuration, type Values } from './options'
import { describeFault, toTroubleChange } from './trouble'

const BILLING_ACTIONS = [
  ...(['card', 'confirm', 'authenticate', 'fail', 'recover'] as const),
  ...(['advance', 'deliver', 'trouble', 'status'] as const),
]

const NOT_BILLED = 'No project is billed here: set SVC_CLOUD=1 and SVC_SIMULATOR=on, as for the server'

type Action = (typeof BILLING_ACTIONS)[number]

function toBillingAction(words: readonly string[]): { action: Action; argument: string | undefined } {
  const [word, argument, ...more] = words
  const action = BILLING_ACTIONS.find((one) => one === word)
  if (!action || more.length > 0 || (argument !== undefined && action !== 'advance'))
    throw new UsageError(`simulate billing takes ${BILLING_ACTIONS.join(', ')}`)
  return { action, argument }
}

/** `svc simulate billing`, only on the database of this machine: an action at the test store that charges for plans. */
export function simulateBilling(io: Io, words: readonly string[], values: Values): Promise<number> {
  const order = toBillingAction(words)
  refuseForeignOptions(`billing ${order.action}`, values)
  if (values.url !== undefined || values.token !== undefined)
    throw new UsageError('simulate billing works only on the database of this machine; leave out --url and --token')
  return withContext(io, values, async (ctx) =>
    perform(ctx, await requireProject(ctx, values.project), io, order, values),
  )
}

/** Prints how the project is billed afterwards. */
async function perform(
  ctx: Context,
  { id: projectId }: { id: string },
  io: Io,
  { action, argument }: ReturnType<typeof toBillingAction>,
  values: Values,
): Promise<number> {
  if (!ctx.config.cloud) throw new CommandFailure('FEATURE_NOT_CONFIGURED', NOT_BILLED)
  requireProvider(ctx, projectId)
  const said = await act(ctx, projectId, action, argument, values)
  const billing = await readBilling(ctx, projectId)
  const world = await changeScene(ctx, projectId, ({ world: { trouble, waiting }, now }) => ({ trouble, now, waiting }))
  if (values.json)
    io.out(JSON.stringify({ did: said, clock: toIso(world.now), waiting: world.waiting.length, billing }))
  else
    io.out(
      `${said}\nclock        ${toIso(world.now)}\ntrouble      ${describeFault(world.trouble)}\nplan         ${billing.tier} ${billing.state}`,
    )
  return 0
}

async function act(
  ctx: Context,
  projectId: string,
  action: Action,
  argument: string | undefined,
  values: Values,
): Promise<string> {
  if (action === 'card') return `added ${await giveCard(ctx, projectId, cardOf('--kind', values.kind))}`
  if (action === 'confirm')
    return confirmed(await confirmWith(ctx, projectId, secretOf(values), cardOf('--card', values.card)))
  if (action === 'authenticate') return `paid ${await authenticate(ctx, projectId)}`
  if (action === 'fail') return `failed ${await failNow(ctx, projectId)}`
  if (action === 'recover') return `paid ${await recover(ctx, projectId)} invoices`
  if (action === 'advance')
    return eventsOf(await advanceBilling(ctx, projectId, toDuration('simulate billing advance', argument)))
  if (action === 'deliver') return eventsOf(await deliverBilling(ctx, projectId, true))
  if (action === 'trouble') return changeTrouble(ctx, projectId, values)
  return eventsOf(await deliverBilling(ctx, projectId))
}

const confirmed = (isDone: boolean): string => (isDone ? 'confirmed' : 'the bank declined')
const eventsOf = (types: readonly string[]): string =>
  `delivered    ${types.length === 0 ? 'nothing' : types.join(', ')}`

async function changeTrouble(ctx: Context, projectId: string, values: Values): Promise<string> {
  const change = values.off ? NO_TROUBLE : toTroubleChange(values)
  await changeScene(ctx, projectId, ({ world }) => void Object.assign(world.trouble, change))
  return 'changed'
}

function cardOf(option: string, kind: string | undefined): string {
  if (kind !== undefined && (CARD_KINDS.some((one) => one === kind) || kind.startsWith('pm_card_'))) return kind
  throw new UsageError(`${option} is ${CARD_KINDS.join(', ')}, or a test card of the provider such as pm_card_visa`)
}

function secretOf({ secret }: Values): string {
  if (secret === undefined) throw new UsageError('simulate billing confirm needs --secret')
  return secret
}
