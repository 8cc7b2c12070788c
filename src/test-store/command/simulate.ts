import { parseArgs } from 'node:util'
import { type Command, CommandFailure, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { checkDeviceKey } from '../../people/subscribers/device-key'
import { requireProject } from '../../projects/project/lookup'
import { requireVault } from '../../stores/test-keys/service'
import { TURNS } from '../stores/life'
import { advance, deliver, status } from './clock'
import { options, refuseForeignOptions, toDuration } from './options'
import { purchase } from './purchase'
import { trouble } from './trouble'
import { turn } from './turn'

export const simulateCommand: Command = {
  name: 'simulate',
  summary: 'live whole lives of purchases at the built-in test stores',
  help: `
svc simulate purchase --device KEY --product ID [--store ios|android|payment] [--trial] [--price 9.99] [--currency USD] [--with ID] [--print]
svc simulate TURN     --device KEY [--product ID] [--store S]   the device's newest purchase takes it
svc simulate advance 40d      lets that much time pass: what comes due in it happens, and is delivered in order
svc simulate status           the stores' clock, what was bought, what waits to be delivered
svc simulate trouble [--duplicate N] [--reorder] [--delay 10m] [--drop 0.2] [--store-down]   adds to what is set
svc simulate trouble --off    ends all of it
svc simulate deliver          delivers everything that waits, delayed or not

Turns:
  renew, expire                     the running period ends now; the next is charged, or there is none
  cancel, uncancel                  it will not renew, it will
  billing-issue [--no-grace]        the period ends now and the charge fails; then: grace-expire, recover or expire
  pause, resume                     not at iOS
  upgrade --to ID, downgrade --to ID [--price 19.99]   another product now; from the next period on (not at Android)
  refund [--partial 3.00], reverse-refund, revoke       a part, and reversals: not at Android; revoke: not at payment
  refund --item ID                  one product of a subscription with several; at Android only
  restore                           the app shows the purchase again, under another transaction id; at iOS only
  price-increase --price 12.99, accept-price   not at payment
  extend DAYS                       time without a charge; not at payment

The test stores sign real-shaped messages with keys of the project, for the Sandbox only, and hand them to the very
code that takes in the real ones. The keys are saved encrypted with the master key. No store account is needed. Each
command goes on with the same lives, whether a server runs or not. The stores' clock leaps when you advance it, yours
does not: what lies ahead in a purchase comes nearer.

Options: --project P (slug or id; needless with one project), --data DIR, --json
         --with ID: of a purchase at Android, a further product in it; can be given several times
         --print: of a purchase, post and tell nothing; print the app's request body for curl

Example: svc simulate purchase --project sleep-app --device svc_test_1 --product pro_monthly`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [word, argument, ...more] = positionals
    const action = ACTIONS.find((one) => one === word)
    if (!action || more.length > 0) throw new UsageError(`simulate takes ${ACTIONS.join(', ')}`)
    if (argument !== undefined && action !== 'advance' && action !== 'extend')
      throw new UsageError(`simulate ${action} takes no "${argument}"`)
    refuseForeignOptions(action, values)
    if (action === 'advance') toDuration('simulate advance', argument)
    const device = OF_PROJECT.some((one) => one === action) ? '' : requireDevice(action, values.device)
    return withContext(io, values, async (ctx) => {
      if (!ctx.config.isSimulatorOn)
        throw new CommandFailure('FEATURE_NOT_CONFIGURED', 'The simulator is switched off (SVC_SIMULATOR=off).')
      requireVault(ctx)
      const project = await ctx.state.projects.get((await requireProject(ctx, values.project)).id)
      if (action === 'purchase') return purchase(ctx, project, io, device, values)
      if (action === 'advance') return advance(ctx, project, io, argument, values)
      if (action === 'status') return status(ctx, project, io, values)
      if (action === 'deliver') return deliver(ctx, project, io, values)
      if (action === 'trouble') return trouble(ctx, project, io, values)
      return turn(ctx, project, io, { turn: action, argument, deviceKey: device }, values)
    })
  },
}

/** Subcommands for all test stores of a project together. */
const OF_PROJECT = ['advance', 'status', 'trouble', 'deliver'] as const
const ACTIONS = ['purchase', ...TURNS, ...OF_PROJECT] as const

function requireDevice(action: string, device: string | undefined): string {
  if (device === undefined) throw new UsageError(`simulate ${action} needs --device`)
  return checkDeviceKey(device, '--device')
}
