import { parseArgs } from 'node:util'
import { UsageError } from '../../base/cli/command'
import { table } from '../../base/cli/table'
import type { CommandAction } from '../deliveries/command-action'
import { commonOptions } from '../delivery-log/command-options'
import type { EndpointView } from './admin-wire'
import { withWebhooks } from './with-webhooks'

export const listAction: CommandAction = {
  usage: 'svc webhook list                          the endpoints, and how their last 24 hours were',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: commonOptions })
    if (positionals.length > 0) throw new UsageError('webhook list takes no name')
    return withWebhooks(io, values, async (webhooks) => {
      const endpoints = await webhooks.list()
      if (values.json) io.out(JSON.stringify({ endpoints }))
      else io.out(endpoints.length === 0 ? 'There is no webhook endpoint.' : toTable(endpoints))
      return 0
    })
  },
}

export const toTable = (endpoints: readonly EndpointView[]): string =>
  table([['name', 'id', 'state', 'success', 'types', 'url'], ...endpoints.map(toLine)])

const toLine = ({ name, id, successRate24h, eventTypes, url, ...endpoint }: EndpointView): string[] => [
  name,
  id,
  stateOf(endpoint),
  successRate24h === null ? '-' : `${Math.floor(successRate24h * 100)} %`,
  eventTypes.join(','),
  url,
]

const stateOf = ({ isEnabled, disabledReason }: Pick<EndpointView, 'isEnabled' | 'disabledReason'>): string => {
  if (isEnabled) return 'on'
  return disabledReason === null ? 'off' : `off (${disabledReason})`
}
