import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CommandFailure, type Io } from '../../base/cli/command'
import { type RemoteValues, remoteOptions } from '../../base/cli/remote'
import { withTarget } from '../../base/cli/target'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { type ListedRequest, localRequests, type RequestTarget, remoteRequests } from './command-target'

/** The options of every action of `svc dsar`. */
export const commonOptions = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  ...remoteOptions,
} as const

/** One action of `svc dsar`. It reads its own options. */
export interface RequestAction {
  /** Its lines in the help of the command. */
  usage: string
  run(args: readonly string[], io: Io): Promise<number>
}

/** Runs the work on the requests of the project that the options name. */
export const withRequests = (
  io: Io,
  values: RemoteValues & { project?: string | undefined },
  work: (requests: RequestTarget) => Promise<number>,
): Promise<number> =>
  withTarget(io, values, {
    server: async (remote) => work(await remoteRequests(remote, values.project)),
    machine: async (ctx) => work(await localRequests(ctx, values.project)),
  })

const LOOK_MS = SECOND / 2

/** Waits until a request has ended, and says meanwhile what it waits for. Throws when it fails. */
export async function waitFor(io: Io, requests: RequestTarget, opened: ListedRequest): Promise<ListedRequest> {
  const startedAt = monotonicMs()
  const stopping = io.stopped.then(() => true)
  try {
    for (let request = opened; ; ) {
      io.progress(`${opened.id} is ${request.status}, ${Math.round((monotonicMs() - startedAt) / SECOND)} s`)
      request = await requests.look(request)
      if (request.status === 'COMPLETED') return request
      if (request.status === 'FAILED') throw failed(request)
      if (await Promise.race([stopping, Bun.sleep(LOOK_MS)])) throw left(request)
    }
  } finally {
    io.progress(null)
  }
}

const failed = ({ id, error }: ListedRequest): CommandFailure =>
  new CommandFailure('HTTP_ERROR', `The request ${id} has failed: ${error ?? 'no reason is known'}`)

const left = ({ id }: ListedRequest): CommandFailure =>
  new CommandFailure('HTTP_ERROR', `The request ${id} goes on at the server; svc dsar list says when it is done.`)

/** Writes what comes to a new file, which only the user can read. */
export async function save(bytes: ReadableStream<Uint8Array>, path: string): Promise<void> {
  try {
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    throw new CommandFailure('HTTP_ERROR', `${path} cannot be written (${(error as Error).message})`)
  }
}
