import { parseArgs } from 'node:util'
import { CommandFailure, UsageError } from '../../base/cli/command'
import type { CommandAction } from '../deliveries/command-action'
import { commonOptions } from '../delivery-log/command-options'
import type { WebhookTarget } from './command-target'
import { withWebhooks } from './with-webhooks'

export const testAction: CommandAction = {
  usage: 'svc webhook test NAME                     sends a test event; exit code 1 when it does not arrive',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: commonOptions })
    const [name, ...more] = positionals
    if (name === undefined || more.length > 0) throw new UsageError('webhook test takes the name or id of an endpoint')
    return withWebhooks(io, values, async (webhooks) => {
      const delivery = await webhooks.test(await idOf(webhooks, name))
      const isDelivered = delivery.status === 'SUCCEEDED'
      const { lastStatusCode, lastError } = delivery
      const why = lastStatusCode === null ? (lastError ?? 'no answer') : `status ${lastStatusCode}`
      if (values.json) io.out(JSON.stringify(delivery))
      else
        io.out(isDelivered ? `${name} took the test event (${why}).` : `${name} did not take the test event: ${why}.`)
      return isDelivered ? 0 : 1
    })
  },
}

/** The id of the endpoint with this name or id. */
export async function idOf(webhooks: WebhookTarget, name: string): Promise<string> {
  const endpoints = await webhooks.list()
  const found = endpoints.find((endpoint) => endpoint.name === name) ?? endpoints.find(({ id }) => id === name)
  if (!found) throw new CommandFailure('NOT_FOUND', `The project has no webhook endpoint ${name}.`)
  return found.id
}
