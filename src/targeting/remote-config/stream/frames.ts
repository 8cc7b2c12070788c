import type { Configuration } from '../service'

// Server-sent events as wire 2.3 spells them.

const frame = (lines: readonly string[]): Uint8Array => Buffer.from(`${lines.join('\n')}\n\n`)

/** Keeps the connection and every proxy on its way awake; one for all streams. */
export const PING = frame(['event: ping', 'data:'])

/** All that a subscriber sees: the first frame of a stream, and one after every change of the project's targeting. */
export const configFrame = (event: 'initial' | 'invalidate', projectId: string, configuration: Configuration) =>
  frame([`event: ${event}`, `data: ${JSON.stringify({ ...configuration, projectId })}`])

/** Tells an OpenFeature provider to ask for its flags again (wire 2.23). `at` in milliseconds. */
export const refetchFrame = (id: string, etag: string, at: number) => {
  const data = { type: 'refetchEvaluation', etag, lastModified: Math.floor(at / 1000) }
  return frame([`id: ${id}`, `data: ${JSON.stringify(data)}`])
}
