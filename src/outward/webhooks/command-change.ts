import { parseArgs } from 'node:util'
import { UsageError } from '../../base/cli/command'
import type { CommandAction } from '../deliveries/command-action'
import { commonOptions } from '../delivery-log/command-options'
import { idOf } from './command-test'
import { withWebhooks } from './with-webhooks'

/** The options, and the one word that the action takes. */
function readOne(action: string, wanted: string, args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: commonOptions })
  const [one, ...more] = positionals
  if (one === undefined || more.length > 0) throw new UsageError(`webhook ${action} takes ${wanted}`)
  return { one, values }
}

const ENDPOINT = 'the name or id of an endpoint'

export const deleteAction: CommandAction = {
  usage: 'svc webhook delete NAME                   deletes an endpoint; what waits for it is not sent any more',
  async run(args, io) {
    const { one, values } = readOne('delete', ENDPOINT, args)
    return withWebhooks(io, values, async (webhooks) => {
      const id = await idOf(webhooks, one)
      await webhooks.delete(id)
      io.out(values.json ? JSON.stringify({ id, deleted: true }) : `${one} is deleted.`)
      return 0
    })
  },
}

export const rotateAction: CommandAction = {
  usage:
    'svc webhook rotate NAME                   makes another signing secret and prints it, once; for 24 hours both sign',
  async run(args, io) {
    const { one, values } = readOne('rotate', ENDPOINT, args)
    return withWebhooks(io, values, async (webhooks) => {
      const id = await idOf(webhooks, one)
      const { secret, previousValidUntil } = await webhooks.rotate(id)
      if (values.json) io.out(JSON.stringify({ id, secret, previousValidUntil }))
      else io.out(`Signing secret (shown only now): ${secret}\nThe one before also signs until ${previousValidUntil}.`)
      return 0
    })
  },
}

export const retryAction: CommandAction = {
  usage: 'svc webhook retry DELIVERY                tries a dead delivery again, with all its attempts',
  async run(args, io) {
    const { one, values } = readOne('retry', 'the id of a delivery; see: svc webhook deliveries --status DEAD', args)
    return withWebhooks(io, values, async (webhooks) => {
      const delivery = await webhooks.retry(one)
      io.out(values.json ? JSON.stringify(delivery) : `${one} is queued again; the running server sends it.`)
      return 0
    })
  },
}
