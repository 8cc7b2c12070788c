import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Command, CommandFailure, found, type Io, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import { type DomainAnswer, DomainSchema } from './operator-wire'
import { namesOf, stateOf } from './words'

/** A newer server may answer more. */
const Domain = Type.Omit(DomainSchema, [], { additionalProperties: true })
const Deleted = Type.Object({ deleted: Type.Boolean() })
const Funnel = Type.Object({ id: Type.String(), slug: Type.String() })

const options = { ...projectOptions, root: { type: 'string' }, redirect: { type: 'string' } } as const
const listOptions = projectOptions

interface Action {
  usage: string
  run(args: readonly string[], io: Io): Promise<number>
}

const list: Action = {
  usage: 'svc domain list                   the names, and what is missing for each',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: listOptions })
    if (positionals.length > 0) throw new UsageError('domain list takes no name')
    return withProject(io, values, async (project) => {
      const domains = await listDomains(project)
      if (values.json) io.out(JSON.stringify({ domains }))
      else io.out(domains.length === 0 ? 'There is no custom domain.' : toTable(domains))
      return 0
    })
  },
}

const listDomains = async (project: ProjectApi): Promise<DomainAnswer[]> =>
  (await project.list(['custom-domains'], { item: Domain, limit: Number.POSITIVE_INFINITY })).items

const toTable = (domains: readonly DomainAnswer[]): string =>
  table([
    ['hostname', 'id', 'state', 'certificate', 'root'],
    ...domains.map((one) => [
      one.hostname,
      one.id,
      stateOf(one),
      one.certificate.status.toLowerCase(),
      one.redirectTo ?? one.rootFunnelId ?? '-',
    ]),
  ])

const add: Action = {
  usage: `svc domain add HOSTNAME [--root FUNNEL | --redirect ADDRESS]
                                  adds a name and prints the two DNS records that it needs; FUNNEL is the slug
                                  of a published funnel, ADDRESS where the root leads to`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const hostname = oneOf(positionals, 'add')
    return withProject(io, values, async (project) => {
      const { root, redirect } = values
      const body = {
        hostname,
        ...(root !== undefined && { rootFunnelId: await funnelIdOf(project, root) }),
        ...(redirect !== undefined && { redirectTo: redirect }),
      }
      const domain = await project.call('POST', ['custom-domains'], { data: Domain, body })
      io.out(values.json ? JSON.stringify(domain) : recordsOf(domain))
      return 0
    })
  },
}

async function funnelIdOf(project: ProjectApi, slug: string): Promise<string> {
  const { items } = await project.list(['funnels'], { item: Funnel, limit: Number.POSITIVE_INFINITY })
  const id = items.find((one) => one.slug === slug || one.id === slug)?.id
  if (id === undefined) throw new CommandFailure('NOT_FOUND', `The project has no funnel ${slug}.`)
  return id
}

const recordsOf = (domain: DomainAnswer): string => {
  const { hostname, verification, dns } = domain
  const records = [
    ['type', 'name', 'value'],
    [verification.type, verification.name, verification.value],
    [dns.type, dns.name, dns.value ?? 'the address of this server'],
  ]
  return `${namesOf(domain)} waits for its DNS. Set these records at your DNS provider:\n\n${table(records)}\n\nsvc checks by itself; to check now: svc domain verify ${hostname}`
}

const verify: Action = {
  usage: 'svc domain verify HOSTNAME        checks a name now; exit code 1 when it is not verified',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: listOptions })
    const hostname = oneOf(positionals, 'verify')
    return withProject(io, values, async (project) => {
      const path = ['custom-domains', await domainIdOf(project, hostname), 'verify']
      const domain = await found(`custom domain ${hostname}`, project.call('POST', path, { data: Domain, body: {} }))
      io.out(values.json ? JSON.stringify(domain) : checkedLines(domain))
      return domain.status === 'VERIFIED' ? 0 : 1
    })
  },
}

function checkedLines(domain: DomainAnswer): string {
  const { verification, dns } = domain
  const lines = [verification, dns].map(({ type, name, value, seen, ok }) => {
    const told = seen.length === 0 ? 'nothing' : seen.join(', ')
    return [type, name, value ?? '-', ok ? 'right' : `seen: ${told}`]
  })
  return `${namesOf(domain)}: ${stateOf(domain)}\n\n${table([['type', 'name', 'value', 'found'], ...lines])}`
}

const remove: Action = {
  usage: 'svc domain delete HOSTNAME        deletes a name; its pages stop at once',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: listOptions })
    const hostname = oneOf(positionals, 'delete')
    return withProject(io, values, async (project) => {
      const id = await domainIdOf(project, hostname)
      await found(`custom domain ${hostname}`, project.call('DELETE', ['custom-domains', id], { data: Deleted }))
      io.out(values.json ? JSON.stringify({ id, deleted: true }) : `${hostname} is deleted.`)
      return 0
    })
  },
}

function oneOf(positionals: readonly string[], action: string): string {
  const [one, ...more] = positionals
  if (one === undefined || more.length > 0) throw new UsageError(`domain ${action} takes one hostname`)
  return one
}

async function domainIdOf(project: ProjectApi, given: string): Promise<string> {
  const wanted = given.toLowerCase().replace(/\.$/, '')
  const all = await listDomains(project)
  const id = all.find((one) => [one.id, one.hostname, one.unicodeHostname].includes(wanted))?.id
  if (id === undefined) throw new CommandFailure('NOT_FOUND', `The project has no custom domain ${given}.`)
  return id
}

const ACTIONS: Readonly<Record<string, Action>> = { list, add, verify, delete: remove }

export const domainCommand: Command = {
  name: 'domain',
  summary: 'custom domains of funnels: add, list, verify, delete',
  optionOf: { rootFunnelId: '--root', redirectTo: '--redirect' },
  help: `
${Object.values(ACTIONS)
  .map(({ usage }) => usage)
  .join('\n')}

  --project P  slug or id; needless with one project
  --data DIR, --json
${remoteHelp(15)}

Example: svc domain add quiz.example.com --root quiz`,
  async run([name = '', ...args], io) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action) throw new UsageError(`domain takes ${Object.keys(ACTIONS).join(', ')}`)
    return action.run(args, io)
  },
}
