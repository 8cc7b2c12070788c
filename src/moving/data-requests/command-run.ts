import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from '@sinclair/typebox'
import { CommandFailure, type Io } from '../../base/cli/command'
import { notFound } from '../../base/errors'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import type { ProjectApi } from '../../projects/project/project-api'
import { performRequest } from './perform'
import { ListedRequestSchema } from './wire'

/** One action of `svc dsar`. It reads its own options. */
export interface RequestAction {
  /** Its lines in the help of the command. */
  usage: string
  run(args: readonly string[], io: Io): Promise<number>
}

/** A newer server may answer more. */
const Listed = Type.Omit(ListedRequestSchema, [], { additionalProperties: true })
export type ListedRequest = Static<typeof ListedRequestSchema>

const Opened = Type.Object({ request: Listed }, { additionalProperties: true })

export async function openThere(
  project: ProjectApi,
  person: string,
  body: { type: ListedRequest['type']; requestedBy: string },
): Promise<ListedRequest> {
  return (await project.call('POST', ['subscribers', person, 'dsar'], { data: Opened, body })).request
}

/** The requests of a project, newest first. */
export const listThere = (project: ProjectApi, limit: number, query: Record<string, string> = {}) =>
  project.list(['dsar'], { item: Listed, limit, query })

/** The request as it is now. On this machine, does its work meanwhile if no other process does. */
async function look(project: ProjectApi, { id, type, subscriberId }: ListedRequest): Promise<ListedRequest> {
  if (project.ctx) await performRequest(project.ctx, id, () => false)
  const { items } = await listThere(project, Number.POSITIVE_INFINITY, { type, subscriberId })
  const request = items.find((one) => one.id === id)
  if (!request) throw notFound('request', id)
  return request
}

const LOOK_MS = SECOND / 2

/** Waits until a request has ended, and says meanwhile what it waits for. Throws when it fails. */
export async function waitFor(io: Io, project: ProjectApi, opened: ListedRequest): Promise<ListedRequest> {
  const startedAt = monotonicMs()
  const stopping = io.stopped.then(() => true)
  try {
    for (let request = opened; ; ) {
      io.progress(`${opened.id} is ${request.status}, ${Math.round((monotonicMs() - startedAt) / SECOND)} s`)
      request = await look(project, request)
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
