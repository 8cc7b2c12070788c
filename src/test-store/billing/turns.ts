import { CommandFailure } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { addCard } from './cards'
import { confirm } from './provider'
import { callStore } from './scene'
import { openOf, pay, renew, restart, type Scene, type TestSubscription, tell } from './world'

const refuse = (message: string): CommandFailure => new CommandFailure('VALIDATION_ERROR', message)

const LIVE = ['active', 'trialing', 'past_due', 'unpaid']

/** The subscription that commands are about: the newest that runs, else the newest. */
function newest({ world }: Scene): TestSubscription {
  const all = Object.values(world.subscriptions)
  const found = all.findLast(({ status }) => LIVE.includes(status)) ?? all.at(-1)
  if (!found) throw refuse('The project has no subscription at the test store; choose a plan first')
  return found
}

/** The customer has a card of this kind from now on, which is charged. */
export const giveCard = (ctx: Context, projectId: string, kind: string): Promise<string> =>
  callStore(ctx, projectId, (scene) => {
    const [customerId, customer] = Object.entries(scene.world.customers).at(-1) ?? []
    if (customerId === undefined || !customer)
      throw refuse('The project is no customer at the test store; choose a plan first')
    const id = addCard(scene, customerId, kind)
    if (id === null) throw refuse(`"${kind}" is no test card`)
    customer.defaultCard = id
    tell(scene, 'payment_method.attached', { id, object: 'payment_method', customer: customerId })
    return id
  })

export const confirmWith = (ctx: Context, projectId: string, secret: string, kind: string): Promise<boolean> =>
  callStore(ctx, projectId, (scene) => confirm(scene, secret, kind))

/** The buyer authenticates the payment that waits for it. */
export const authenticate = (ctx: Context, projectId: string): Promise<string> =>
  callStore(ctx, projectId, (scene) => {
    const open = openOf(scene, newest(scene).id).at(-1)
    if (!open) throw refuse('No payment waits for an authentication')
    const card = scene.world.cards[scene.world.customers[open.customerId]?.defaultCard ?? '']
    if (card?.kind !== 'authenticate') throw refuse('The card that is charged asks for no authentication')
    card.isAuthenticated = true
    pay(scene, open)
    return open.id
  })

/** The running period ends now and the charge fails; so do the next tries, until `recover`. */
export const failNow = (ctx: Context, projectId: string): Promise<string> =>
  callStore(ctx, projectId, (scene) => {
    const one = newest(scene)
    if (one.status !== 'active' && one.status !== 'trialing') throw refuse(`The subscription is ${one.status}`)
    const id = addCard(scene, one.customerId, 'fails')
    const customer = scene.world.customers[one.customerId]
    if (customer) customer.defaultCard = id
    restart(one, scene.now)
    renew(scene, one)
    for (const invoice of Object.values(scene.world.invoices)) if (invoice.status === 'draft') invoice.dueAt = scene.now
    return one.id
  })

/** The customer gives a card that pays, and everything open is paid. */
export const recover = (ctx: Context, projectId: string): Promise<number> =>
  callStore(ctx, projectId, (scene) => {
    const one = newest(scene)
    const customer = scene.world.customers[one.customerId]
    if (customer) customer.defaultCard = addCard(scene, one.customerId, 'visa')
    const open = openOf(scene, one.id)
    if (open.length === 0) throw refuse('Nothing is open')
    for (const invoice of open) pay(scene, invoice)
    return open.length
  })
