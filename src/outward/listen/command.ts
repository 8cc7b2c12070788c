import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { type RemoteAddress, readRemoteAddress, remoteHelp } from '../../base/cli/remote'
import { stopSignal } from '../../base/cli/storage'
import { requireProject } from '../../projects/project/lookup'
import { placeOnServer } from '../../projects/project/project-api'
import { type Given, isPersonal, options, readGiven, TOKEN_RULE } from './given'
import { createReport, endLine, headLines } from './report'
import { listen, wait } from './run'
import { createSender, newSecret } from './send'
import { type EventPage, type EventSource, type FeedStart, SourceAway } from './source'
import { keySource } from './source-key'
import { machineSource } from './source-machine'
import { tokenSource } from './source-token'

export const listenCommand: Command = {
  name: 'listen',
  summary: "send a project's events live to an address on your machine",
  optionOf: { after: '--replay-from', since: '--replay-from', types: '--types' },
  help: `
svc listen --forward-to URL [--project P] [--types LIST] [--replay-from PLACE] [--url URL] [--token T]

Sends every event of the project to the address as it happens, with the body, the headers and the signature of a webhook
endpoint, and prints a line for each delivery. Its own signing secret is printed first; it is the same at
every start. Nothing needs to reach your
machine from outside. One subscriber's events are sent one after the other, in their order. A delivery that fails is
repeated three times within 4 s; then the next event follows. Ctrl-C ends it.

  --forward-to URL     http on this machine or in a private network, https anywhere
  --types LIST         only these types: purchase.renewed,entitlement.* (a * at the end stands for any ending)
  --replay-from PLACE  begins in the past: a time like 2026-11-20T08:00:00Z, or what the command printed at its end
${remoteHelp(23)}
                       --token and SVC_TOKEN also take a secret key of the project (svc_sec_...)
  --project P          slug or id; needless with one project, and with a secret key
  --data DIR, --json

Example: svc listen --project sleep-app --forward-to http://localhost:4242/hooks --types 'purchase.*'`,
  run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const given = { ...readGiven(values), json: values.json ?? false }
    const server = readRemoteAddress(io, values, TOKEN_RULE)
    if (!server)
      return withContext(io, values, async (ctx) => {
        const project = await requireProject(ctx, values.project)
        return run({ ...given, io }, machineSource(ctx, project, given.types))
      })
    return listenTo(server, values.project, { ...given, io })
  },
}

interface Order extends Given {
  io: Io
  json: boolean
}

async function listenTo(server: RemoteAddress, project: string | undefined, order: Order): Promise<number> {
  if (!isPersonal(server.token)) return run(order, keySource(server, project, order.types))
  return run(order, tokenSource(server, await placeOnServer(server).require(project), order.types))
}

async function run({ io, json, target, start }: Order, source: EventSource): Promise<number> {
  const stop = stopSignal(io)
  const first = await firstPage(source, start, stop)
  if (!first) return 0
  const secret = (await source.secret(stop)) ?? newSecret()
  io.out(headLines({ secret, source: source.project, forwardTo: target.url }, json))
  const deliver = createSender({ target, secret, clock: io.clock, stop })
  const tally = await listen({ source, start, first, deliver, report: createReport(io, json), wait, stop })
  io.out(endLine(tally, json))
  return 0
}

/** Reads before anything is printed, so that a wrong address or token is reported at once. Null after a stop signal. */
async function firstPage(source: EventSource, start: FeedStart, stop: AbortSignal): Promise<EventPage | null> {
  try {
    return await source.next(start, 0, stop)
  } catch (error) {
    if (stop.aborted) return null
    if (error instanceof SourceAway)
      throw new CommandFailure('HTTP_ERROR', `${error.message} Check the address and the network.`)
    throw error
  }
}
