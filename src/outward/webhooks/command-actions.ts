import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { found, UsageError } from '../../base/cli/command'
import { table } from '../../base/cli/table'
import { projectOptions, withProject } from '../../projects/project/project-api'
import type { CommandAction } from '../deliveries/command-action'
import { Delivery } from '../delivery-log/command-deliveries'
import { endpointIdOf } from '../delivery-log/command-endpoint'
import type { EndpointView } from './admin-wire'
import { MAX_ENDPOINTS } from './model'
import { EndpointSchema } from './operator-wire'

/** A newer server may answer more. */
const Endpoint = Type.Omit(EndpointSchema, [], { additionalProperties: true })

export const listAction: CommandAction = {
  usage: 'svc webhook list                          the endpoints, and how their last 24 hours were',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: projectOptions })
    if (positionals.length > 0) throw new UsageError('webhook list takes no name')
    return withProject(io, values, async (project) => {
      const { items } = await project.list(['webhook-endpoints'], { item: Endpoint, limit: MAX_ENDPOINTS })
      if (values.json) io.out(JSON.stringify({ endpoints: items }))
      else io.out(items.length === 0 ? 'There is no webhook endpoint.' : toTable(items))
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

/** The options, and the one word that the action takes. */
function readOne(action: string, wanted: string, args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: projectOptions })
  const [one, ...more] = positionals
  if (one === undefined || more.length > 0) throw new UsageError(`webhook ${action} takes ${wanted}`)
  return { one, values }
}

const ENDPOINT = 'the name or id of an endpoint'

/** A sentence with the name, where there is no such endpoint. */
const ofEndpoint = <Result>(name: string, work: Promise<Result>): Promise<Result> =>
  found(`webhook endpoint ${name}`, work)

const Deleted = Type.Object({ deleted: Type.Boolean() })

export const deleteAction: CommandAction = {
  usage: 'svc webhook delete NAME                   deletes an endpoint; what waits for it is not sent any more',
  async run(args, io) {
    const { one, values } = readOne('delete', ENDPOINT, args)
    return withProject(io, values, async (project) => {
      const id = await endpointIdOf(project, one)
      await ofEndpoint(one, project.call('DELETE', ['webhook-endpoints', id], { data: Deleted }))
      io.out(values.json ? JSON.stringify({ id, deleted: true }) : `${one} is deleted.`)
      return 0
    })
  },
}

const Rotated = Type.Object({ secret: Type.String(), previousValidUntil: Type.String() })

export const rotateAction: CommandAction = {
  usage:
    'svc webhook rotate NAME                   makes another signing secret and prints it, once; for 24 hours both sign',
  async run(args, io) {
    const { one, values } = readOne('rotate', ENDPOINT, args)
    return withProject(io, values, async (project) => {
      const id = await endpointIdOf(project, one)
      const path = ['webhook-endpoints', id, 'rotate-secret']
      const { secret, previousValidUntil } = await ofEndpoint(one, project.call('POST', path, { data: Rotated }))
      if (values.json) io.out(JSON.stringify({ id, secret, previousValidUntil }))
      else io.out(`Signing secret (shown only now): ${secret}\nThe one before also signs until ${previousValidUntil}.`)
      return 0
    })
  },
}

export const testAction: CommandAction = {
  usage: 'svc webhook test NAME                     sends a test event; exit code 1 when it does not arrive',
  async run(args, io) {
    const { one: name, values } = readOne('test', ENDPOINT, args)
    return withProject(io, values, async (project) => {
      const path = ['webhook-endpoints', await endpointIdOf(project, name), 'test']
      const delivery = await ofEndpoint(name, project.call('POST', path, { data: Delivery }))
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

export const retryAction: CommandAction = {
  usage: 'svc webhook retry DELIVERY                tries a dead delivery again, with all its attempts',
  async run(args, io) {
    const { one, values } = readOne('retry', 'the id of a delivery; see: svc webhook deliveries --status DEAD', args)
    return withProject(io, values, async (project) => {
      const delivery = await project.call('POST', ['webhook-deliveries', one, 'retry'], { data: Delivery })
      io.out(values.json ? JSON.stringify(delivery) : `${one} is queued again; the running server sends it.`)
      return 0
    })
  },
}
