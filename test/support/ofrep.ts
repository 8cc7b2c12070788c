import { createApp } from '../../src/app'
import type { Answer, Stage } from './cast'

type Options = Parameters<Stage['call']>[2]

const PATH = '/ofrep/v1/evaluate/flags'

/** Evaluates one key for a context, as an OpenFeature client does. */
export const evaluateOne = (s: Stage, key: string, context: unknown, options: Options = {}, query = '') =>
  s.post(`${PATH}/${encodeURIComponent(key)}${query}`, { context }, options)

/** Evaluates everything for a context, as an OpenFeature client does. */
export const evaluateAll = (s: Stage, context: unknown, options: Options = {}, query = '') =>
  s.post(`${PATH}${query}`, { context }, options)

/** Value, reason and variant of one key. */
export async function resultOf(s: Stage, key: string, context: unknown, options: Options = {}, query = '') {
  const { body } = await evaluateOne(s, key, context, options, query)
  return [body.value, body.reason, body.variant]
}

/** Values of a bulk answer by key. */
export const valuesOf = ({ body }: Answer): Record<string, unknown> =>
  Object.fromEntries(body.flags.map(({ key, value }: { key: string; value: unknown }) => [key, value]))

/** Serves the stage on a free port until `stop`. */
export function serveStage({ ctx }: Stage): { url: string; stop(): Promise<void> } {
  const app = createApp(ctx).listen({ hostname: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${app.server?.port}`, stop: async () => app.server?.stop(true) }
}
