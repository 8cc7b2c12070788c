import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Io, UsageError } from '../../base/cli/command'
import { projectOptions, withProject } from '../../projects/project/project-api'
import type { CommandAction } from '../deliveries/command-action'
import { authorizationFault } from './check'
import { toTable } from './command-actions'
import { ENVIRONMENTS, FORMATS, type WebhookEnvironment, type WebhookFormat } from './model'
import { CreatedEndpointSchema, type EndpointBody } from './operator-wire'

const options = {
  ...projectOptions,
  name: { type: 'string' },
  types: { type: 'string' },
  environments: { type: 'string' },
  ordered: { type: 'boolean' },
  format: { type: 'string' },
  'authorization-env': { type: 'string' },
} as const

/** A newer server may answer more. */
const Created = Type.Omit(CreatedEndpointSchema, [], { additionalProperties: true })

type Input = Static<typeof EndpointBody>

export const createAction: CommandAction = {
  usage: `svc webhook create ADDRESS --name NAME [--types T,…] [--environments E,…] [--ordered] [--format F]
                    [--authorization-env VARIABLE]
                                          prints the signing secret, once; T is * or purchase.* or a type,
                                          E production or sandbox, F standard or revenuecat; the variable of the
                                          environment holds what a receiver of revenuecat expects in Authorization`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const input = { ...toInput(positionals, values), ...authorizationOf(values, io) }
    return withProject(io, values, async (project) => {
      const created = await project.call('POST', ['webhook-endpoints'], { data: Created, body: input })
      const { secret, ...endpoint } = created
      if (values.json) io.out(JSON.stringify({ ...endpoint, secret }))
      else io.out(`${toTable([endpoint])}\n\nSigning secret (shown only now): ${secret}`)
      return 0
    })
  },
}

interface Values {
  name?: string | undefined
  types?: string | undefined
  environments?: string | undefined
  ordered?: boolean | undefined
  format?: string | undefined
  'authorization-env'?: string | undefined
}

/** Other users of a machine can read the command lines of its processes, so a secret comes by the environment. */
function authorizationOf({ format, 'authorization-env': variable }: Values, { env }: Io): Pick<Input, 'authorization'> {
  if (variable === undefined) return {}
  if (format !== 'revenuecat') throw new UsageError('--authorization-env belongs to --format revenuecat')
  const authorization = env[variable]
  if (!authorization) throw new UsageError(`--authorization-env: the environment has no value of ${variable}`)
  const fault = authorizationFault(authorization)
  if (fault !== null) throw new UsageError(`--authorization-env: the value of ${variable} ${fault}`)
  return { authorization }
}

function toInput(
  [url, ...more]: readonly string[],
  { name, types = '*', environments, ordered, format }: Values,
): Input {
  if (url === undefined || more.length > 0) throw new UsageError('webhook create takes the address of the endpoint')
  if (name === undefined) throw new UsageError('webhook create needs a name: --name')
  return {
    name,
    url,
    eventTypes: split(types),
    ...(environments !== undefined && { environments: split(environments).map(toEnvironment) }),
    ...(ordered && { ordered: true }),
    ...(format !== undefined && { format: toFormat(format) }),
  }
}

const split = (list: string): string[] => list.split(',').map((part) => part.trim())

function toEnvironment(text: string): WebhookEnvironment {
  const known = ENVIRONMENTS.find((environment) => environment === text.toUpperCase())
  if (!known) throw new UsageError(`--environments takes production and sandbox, not "${text}"`)
  return known
}

function toFormat(text: string): WebhookFormat {
  const known = FORMATS.find((format) => format === text)
  if (!known) throw new UsageError(`--format is one of ${FORMATS.join(', ')}, not "${text}"`)
  return known
}
