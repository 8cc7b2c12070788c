import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { checkDeviceKey } from '../../people/subscribers/device-key'
import { withPlace } from '../../projects/project/project-api'
import { requireTestStores } from '../dashboard/admin'
import { TURNS } from '../stores/life'
import { simulateBilling } from './billing'
import { advance, deliver, status } from './clock'
import { options, refuseForeignOptions, toDuration } from './options'
import { purchase } from './purchase'
import { price, promotion, settle } from './sales'
import { trouble } from './trouble'
import { turn } from './turn'

export const simulateCommand: Command = {
  name: 'simulate',
  summary: 'simulate purchases: buy, renew, cancel, refund, advance time',
  help: `
svc simulate purchase --device KEY --product ID [--store ios|android|payment] [--trial] [--price 9.99] [--currency USD] [--with ID] [--commitment] [--print]
svc simulate TURN     --device KEY [--product ID] [--store S]   the device's newest purchase takes it
svc simulate advance 40d      lets that much time pass: what comes due in it happens, and is delivered in order
svc simulate status           the stores' clock, what was bought, what waits to be delivered
svc simulate trouble [--duplicate N] [--reorder] [--delay 10m] [--drop 0.2] [--store-down]   adds to what is set
svc simulate trouble --off    ends all of it
svc simulate deliver          delivers everything that waits, delayed or not
svc simulate price --product ID --price 12.99 [--currency USD] [--trial 7d]   what a product costs in funnels
svc simulate promotion --code HALF --percent 50 | --off   a promotion code in funnels
svc simulate settle --payment ID [--fail]     a payment of a funnel that takes days comes in, or fails

Turns:
  renew, expire                     the running period ends now; the next is charged, or there is none
  cancel, uncancel                  it will not renew, it will
  billing-issue [--no-grace]        the period ends now and the charge fails; then: grace-expire, recover or expire
  pause, resume                     not at iOS
  upgrade --to ID, downgrade --to ID [--price 19.99]   another product now; from the next period on (not at Android)
  refund [--partial 3.00], reverse-refund, revoke       reversals: not at Android; revoke: not at payment
  refund --prorated                 the rest of the period, which ends now; only at Android
  upgrade --to ID --prorated        the new product costs the rest of the period now; only at Android
  refund --item ID                  one product of a subscription with several; not at iOS
  add-item --to ID                  another product joins the subscription now; not at iOS
  remove-item --item ID             one product of it ends: now at payment, with the period at Android; not at iOS
  schedule --to ID [--item ID]      another product from the next period on; at iOS use downgrade
  seats N [--item ID]               another quantity from now on; only at payment
  credit 20.00                      the customer's balance pays for the next charges; only at payment
  restore                           the app shows the purchase again, under another transaction id; at iOS only
  price-increase --price 12.99, accept-price   not at payment
  extend DAYS                       time without a charge; not at payment

With SVC_CLOUD=1, the store that charges a project for its plan:
  billing card --kind visa|master|declined|fails|authenticate   the customer has this card from now on
  billing confirm --secret S --card K    the buyer's browser confirms a card or a payment
  billing authenticate                   the buyer authenticates the payment that waits for it
  billing fail, billing recover          the period ends and the charge fails; everything open is paid
  billing advance 32d, billing deliver, billing trouble, billing status

The test stores sign messages of the real form with keys of the project, for the Sandbox only, and pass them to the
code that processes the real ones. The keys are saved encrypted with the master key. No store account is needed. Each
command continues with the same purchases, whether a server runs or not. "advance" moves the stores' clock, not yours:
future dates of a purchase become earlier.

Options: --project P (slug or id; needless with one project), --data DIR, --json
${remoteHelp(17)}
         At a server it needs the role DEVELOPER; where products grant virtual currency, most actions need ADMIN.
         billing works only on the database of this machine.
         --with ID: of a purchase at Android or payment, a further product in it; can be given several times
         --commitment: of a purchase of a year at iOS, it is charged each month; at Android, of 12 months
         --print: of a purchase, post and tell nothing; print the app's request body for curl

Example: svc simulate purchase --project sleep-app --device svc_test_1 --product pro_monthly`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [word, argument, ...more] = positionals
    if (word === 'billing') return simulateBilling(io, positionals.slice(1), values)
    const action = ACTIONS.find((one) => one === word)
    if (!action || more.length > 0) throw new UsageError(`simulate takes ${ACTIONS.join(', ')}, billing`)
    if (argument !== undefined && !WITH_ARGUMENT.some((one) => one === action))
      throw new UsageError(`simulate ${action} takes no "${argument}"`)
    refuseForeignOptions(action, values)
    if (action === 'advance') toDuration('simulate advance', argument)
    const device = OF_PROJECT.some((one) => one === action) ? '' : requireDevice(action, values.device)
    return withPlace(io, values, async (place) => {
      if (place.ctx) requireTestStores(place.ctx)
      const project = await place.require(values.project)
      if (action === 'purchase') return purchase(project, io, device, values)
      if (action === 'advance') return advance(project, io, argument, values)
      if (action === 'status') return status(project, io, values)
      if (action === 'deliver') return deliver(project, io, values)
      if (action === 'price') return price(project, io, argument, values)
      if (action === 'promotion') return promotion(project, io, values)
      if (action === 'settle') return settle(project, io, values)
      if (action === 'trouble') return trouble(project, io, values)
      return turn(project, io, { turn: action, argument, deviceKey: device }, values)
    })
  },
}

/** Actions with a word after their name. */
const WITH_ARGUMENT = ['advance', 'extend', 'seats', 'credit', 'price'] as const

/** Subcommands for all test stores of a project together. */
const OF_PROJECT = ['advance', 'status', 'trouble', 'deliver', 'price', 'promotion', 'settle'] as const
const ACTIONS = ['purchase', ...TURNS, ...OF_PROJECT] as const

function requireDevice(action: string, device: string | undefined): string {
  if (device === undefined) throw new UsageError(`simulate ${action} needs --device`)
  // The buyer of a funnel has no device before the claim, and their purchase lives on all the same.
  const isBuyer = action !== 'purchase' && /^payment:cus_sim[0-9a-f]{20}$/.test(device)
  return isBuyer ? device : checkDeviceKey(device, '--device')
}
