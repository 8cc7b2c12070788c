import { parseArgs } from 'node:util'
import { CommandFailure, found, type Io, UsageError } from '../../base/cli/command'
import { table } from '../../base/cli/table'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import { type ListedRequest, listThere, openThere, type RequestAction, save, waitFor } from './command-run'

const options = {
  ...projectOptions,
  person: { type: 'string' },
  'requested-by': { type: 'string' },
  output: { type: 'string', short: 'o' },
  yes: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** Whom the request is about, and who makes it. */
interface Order {
  person: string
  requestedBy: string
}

function readOrder(action: string, { person, 'requested-by': by }: Values): Order {
  if (!person) throw new UsageError(`dsar ${action} needs --person (sub_ id, appUserId or device key)`)
  return { person, requestedBy: by ?? 'command line' }
}

const open = (project: ProjectApi, type: ListedRequest['type'], { person, requestedBy }: Order) =>
  found(`subscriber "${person}"`, openThere(project, person, { type, requestedBy }))

export const exportAction: RequestAction = {
  usage:
    'svc dsar export --person REF [-o FILE]    everything that is stored about a person, as a zip with a page to read',
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const order = readOrder('export', values)
    if (values.yes) throw new UsageError('--yes belongs to dsar erase')
    return withProject(io, values, async (project) => {
      const request = await waitFor(io, project, await open(project, 'EXPORT', order))
      const path = values.output ?? `${request.id}.zip`
      await save(await project.stream(['dsar', request.id, 'download']), path)
      io.out(values.json ? JSON.stringify({ request, file: path }) : `The data is in ${path}; open index.html in it.`)
      return 0
    })
  },
}

export const eraseAction: RequestAction = {
  usage:
    'svc dsar erase --person REF [-o FILE]     erases a person for good; prints the signed certificate, or writes it',
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const order = readOrder('erase', values)
    await confirmErasure(io, order.person, values)
    return withProject(io, values, async (project) => {
      const request = await waitFor(io, project, await open(project, 'ERASURE', order))
      const certificate = await project.stream(['dsar', request.id, 'download'])
      if (values.output !== undefined) await save(certificate, values.output)
      const text = values.output === undefined ? await new Response(certificate).text() : null
      if (values.json) io.out(JSON.stringify({ request, certificate: text, file: values.output ?? null }))
      else io.out(text ?? `The person is erased; the certificate is in ${values.output}.`)
      return 0
    })
  },
}

async function confirmErasure(io: Io, person: string, { yes, json }: Values): Promise<void> {
  if (yes) return
  if (!io.ask || json) throw new UsageError('dsar erase cannot ask here: add --yes to erase the person for good')
  const typed = await io.ask(`This erases "${person}" for good. Type ${person} to go on:`)
  if (typed.trim() !== person) throw new CommandFailure('HTTP_ERROR', 'Nobody was erased.')
}

const MOST = 200

export const listAction: RequestAction = {
  usage: 'svc dsar list                             the requests, newest first',
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options: projectOptions })
    return withProject(io, values, async (project) => {
      const { items, hasMore } = await listThere(project, MOST)
      if (values.json) io.out(JSON.stringify({ requests: items, hasMore }))
      else io.out(items.length === 0 ? 'There is no data request.' : toTable(items))
      if (hasMore && !values.json) io.out(`These are the newest ${MOST}.`)
      return 0
    })
  },
}

const toTable = (requests: readonly ListedRequest[]): string =>
  table([
    ['id', 'type', 'state', 'subscriber', 'requested by', 'created', 'note'],
    ...requests.map(({ id, type, status, subscriberId, requestedBy, createdAt, expiresAt, error }) => [
      ...[id, type, status, subscriberId, requestedBy, createdAt],
      error ?? (status === 'COMPLETED' && expiresAt !== null ? `download until ${expiresAt}` : ''),
    ]),
  ])
