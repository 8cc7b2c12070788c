import { parseArgs } from 'node:util'
import type { Command, Io } from '../../base/cli/command'
import { CommandFailure } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { type RemoteAddress, readRemoteAddress, remoteHelp } from '../../base/cli/remote'
import type { Context } from '../../base/context'
import { parseObject } from '../../base/lib/json'
import { requireProject } from '../../projects/project/lookup'
import { projectOptions } from '../../projects/project/project-api'
import { ownCaller } from '../assistant/tools/caller'
import { openOwnApplication } from '../assistant/tools/own-application'
import { answerMessage, type McpServer, notParsed, type Reply } from './protocol'
import { mcpServer } from './server'

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'give a coding agent tools that read your projects (Model Context Protocol)',
  help: `
svc mcp [--project P] [--url URL] [--token T]

Speaks the Model Context Protocol on its input and output, for agents that start a program: each line of the input is one
message, each line of the output one answer. The tools only read, with the rights of the token. With --data they read the
database of this machine. It ends with the input. Agents that call an address use POST /mcp of the server instead.

${remoteHelp(13)}
  --project P  slug or id of the project of every call; needless with one project, and with --url where each call names one
  --data DIR, --json

Example: svc mcp --url https://svc.example.com --project sleep-app`,
  run(args, io) {
    const { values } = parseArgs({ args: [...args], options: projectOptions })
    const server = readRemoteAddress(io, values)
    if (server) return serve(io, (line) => forward(server, values.project, line))
    return withContext(io, values, async (ctx) => {
      const own = await localServer(ctx, io, values.project)
      return serve(io, (line) => answerLine(own, line))
    })
  },
}

/** Answers lines until the input ends or the process gets a stop signal. Each is answered before the next one is read. */
async function serve(io: Io, answer: (line: string) => Promise<object | null>): Promise<number> {
  const stopped = io.stopped.then(() => null)
  const lines = io.lines?.()[Symbol.asyncIterator]()
  while (lines) {
    const next = await Promise.race([lines.next(), stopped])
    if (next === null || next.done) break
    const reply = next.value.trim() === '' ? null : await answer(next.value)
    if (reply !== null) io.out(JSON.stringify(reply))
  }
  return 0
}

async function answerLine(server: McpServer, line: string): Promise<Reply | null> {
  const message = parseObject(line)
  return message === null ? notParsed() : answerMessage(server, message)
}

async function localServer(ctx: Context, io: Io, project: string | undefined): Promise<McpServer> {
  const { id } = await requireProject(ctx, project)
  openOwnApplication(ctx, io.program)
  const own = { caller: ownCaller(ctx), userId: '', scopes: null, tokenName: async () => null }
  return mcpServer(ctx, { ...own, project: id, findProject: async () => ({ id }) })
}

/** Sends a line to a server as it is. */
async function forward({ address, token }: RemoteAddress, project: string | undefined, line: string) {
  if (parseObject(line) === null) return notParsed()
  const query = project === undefined ? '' : `?project=${encodeURIComponent(project)}`
  const response = await fetch(`${address}/mcp${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: line,
    redirect: 'manual',
  }).catch(() => null)
  if (response === null)
    throw new CommandFailure('HTTP_ERROR', `${address} cannot be reached; check it and the network.`)
  if (response.status === 202) return null
  const reply = parseObject(await response.text())
  if (response.status !== 200 || reply === null) throw refusal(address, response.status)
  return reply
}

const refusal = (address: string, status: number): CommandFailure =>
  status === 401
    ? new CommandFailure('UNAUTHORIZED', `${address} does not accept the token; make a new one in your account there.`)
    : new CommandFailure('HTTP_ERROR', `${address} answered with status ${status}; check --url and its version.`)
