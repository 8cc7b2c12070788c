import type { Configuration } from '../service'

// Server-sent events as wire 2.3 defines them.

const frame = (lines: readonly string[]): Uint8Array => Buffer.from(`${lines.join('\n')}\n\n`)

/** Sent regularly, so that no proxy closes an idle connection; one frame for all streams. */
export const PING = frame(['event: ping', 'data:'])

/**
 * The configuration of a subscriber: the first frame of a stream, and one after every change of the targeting of the
 * project.
 */
export const configFrame = (event: 'initial' | 'invalidate', projectId: string, configuration: Configuration) =>
  frame([`event: ${event}`, `data: ${JSON.stringify({ ...configuration, projectId })}`])

/** Makes an OpenFeature provider fetch its flags again (wire 2.23). `at` in milliseconds. */
export const refetchFrame = (id: string, etag: string, at: number) => {
  const data = { type: 'refetchEvaluation', etag, lastModified: Math.floor(at / 1000) }
  return frame([`id: ${id}`, `data: ${JSON.stringify(data)}`])
}
